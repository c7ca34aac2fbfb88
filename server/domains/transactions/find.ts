// Which transactions a call may look at, for other domains.
import type { ReadContext } from "@/server/kit/context";
import { findTransaction } from "./store";

/** Whether the caller sees the transaction: as its account's own, or from a transfer's destination. */
export const isVisibleTransaction = async (ctx: ReadContext, id: string): Promise<boolean> =>
  (await findTransaction(ctx.db, ctx.scope, id)) !== undefined;
