// How much of a refund counts towards the surplus of its payment request.
import type { Tx } from "@/db/client";
import { decideSurplus } from "@/server/domains/transactions/record-store";
import { amountOverpaid, totalsOf } from "./derive";
import { overpaidOf } from "./stale";
import { attemptsOf, type PaymentRow, readPayment } from "./store";
import { surplusRefunding } from "./surplus-store";

/** How many of a refund's `amount` minor units refund surplus. The caller has locked the payment request. */
export async function surplusWithin(tx: Tx, paymentId: string, amount: number): Promise<number> {
  const row = await readPayment(tx, paymentId);
  if (!row || amountOverpaid(row, 0) === 0) return 0;
  const derived = { ...row, ...totalsOf({ amount: row.amount, attempts: await attemptsOf(tx, paymentId) }) };
  await decideRefunds(tx, derived);
  const surplus = await overpaidOf(tx, derived);
  return Math.max(0, Math.min(amount, surplus - (await surplusRefunding(tx, paymentId))));
}

/**
 * Decides whether refunds that were recorded by a version without surpluses returned surplus: all of them if `row`,
 * with the totals before the current change, is overpaid, otherwise none.
 */
export const decideRefunds = (tx: Tx, row: PaymentRow): Promise<void> =>
  decideSurplus(tx, row.id, amountOverpaid(row, 0) > 0);
