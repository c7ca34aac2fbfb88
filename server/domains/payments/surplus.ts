// How much of a refund counts towards the surplus of its payment request.
import type { Tx } from "@/db/client";
import { decideSurplus } from "@/server/domains/transactions/record-store";
import { type Attempt, amountOverpaid } from "./derive";
import { settledOf } from "./stale";
import { attemptsOf, type PaymentRow, readPayment } from "./store";
import { refundsOf, surplusRefunding } from "./surplus-store";
import { totalsOf } from "./totals";

/** How many of a refund's `amount` minor units refund surplus. The caller has locked the payment request. */
export async function surplusWithin(tx: Tx, paymentId: string, amount: number): Promise<number> {
  const row = await readPayment(tx, paymentId);
  if (!row || amountOverpaid(row, 0) === 0) return 0;
  const attempts = await attemptsOf(tx, row);
  const derived = { ...row, ...totalsOf({ ...row, attempts }) };
  await decideRefunds(tx, row, attempts);
  const { amountOverpaid: surplus } = await settledOf(tx, derived, attempts);
  return Math.max(0, Math.min(amount, surplus - (await surplusRefunding(tx, paymentId))));
}

/**
 * Decides how much surplus the refunds returned that a version without surpluses recorded: each took from the surplus
 * that there was when it was made, and one that was made before there was any took nothing.
 */
export async function decideRefunds(
  tx: Tx,
  row: Pick<PaymentRow, "id" | "amount" | "amountReopened" | "amountWrittenOff">,
  attempts: readonly Attempt[],
): Promise<void> {
  const refunds = await refundsOf(tx, row.id);
  if (refunds.every(({ amountSurplus }) => amountSurplus !== null)) return;
  let returned = 0;
  for (const refund of refunds) {
    const received = attempts.filter(({ settledAt }) => (settledAt ?? 0) <= refund.createdAt);
    const surplus = amountOverpaid({ ...row, ...totalsOf({ ...row, attempts: received }) }, returned);
    const share = refund.amountSurplus ?? Math.min(refund.amount, surplus);
    if (refund.amountSurplus === null) await decideSurplus(tx, refund.id, share);
    if (refund.status === "pending" || refund.status === "succeeded") returned += share;
  }
}
