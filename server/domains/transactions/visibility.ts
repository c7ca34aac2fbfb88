// Whether a caller sees a transaction, for other domains.
import type { ReadContext } from "@/server/kit/context";
import { findTransaction } from "./store";

/** Whether the caller sees the transaction's account, or the destination of a transfer. */
export const isVisibleTransaction = async (ctx: ReadContext, id: string): Promise<boolean> =>
  (await findTransaction(ctx.db, ctx.scope, id)) !== undefined;
