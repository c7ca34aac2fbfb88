// How much of a refund gives back the surplus of its payment request.
import type { Tx } from "@/db/client";
import { findOverpaid, surplusRefunding } from "./surplus-store";

/** How much of a refund of `amount` minor units gives back the surplus of its payment request, whose row the caller has locked. */
export async function surplusWithin(tx: Tx, paymentId: string, amount: number): Promise<number> {
  const surplus = await findOverpaid(tx, paymentId);
  return surplus === 0 ? 0 : Math.max(0, Math.min(amount, surplus - (await surplusRefunding(tx, paymentId))));
}
