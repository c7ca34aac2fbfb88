// How much of a refund counts towards the surplus of its payment request.
import type { Tx } from "@/db/client";
import { findOverpaid, surplusRefunding } from "./surplus-store";

/** How many of a refund's `amount` minor units refund surplus. The caller has locked the payment request. */
export async function surplusWithin(tx: Tx, paymentId: string, amount: number): Promise<number> {
  const surplus = await findOverpaid(tx, paymentId);
  return surplus === 0 ? 0 : Math.max(0, Math.min(amount, surplus - (await surplusRefunding(tx, paymentId))));
}
