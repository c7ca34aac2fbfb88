// Whether a caller sees a payment request, for other domains.
import type { ReadContext } from "@/server/kit/context";
import { findPayment, transactionIdsOfOne } from "./store";

/** The ids of the payment request and its transactions; null if the caller does not see it. */
export async function idsOfVisiblePayment(ctx: ReadContext, id: string): Promise<string[] | null> {
  const row = await findPayment(ctx.db, ctx.scope, id);
  return row ? [row.id, ...(await transactionIdsOfOne(ctx.db, row.id))] : null;
}
