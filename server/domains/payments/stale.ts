// Whether a stored payment request disagrees with its transactions and the time, because a process with a wrong
// clock wrote it.
import type { Reader } from "@/db/client";
import { type Attempt, amountOverpaid, derivePaymentStatus, totalsOf } from "./derive";
import { amountLost } from "./disputed";
import { captureBeforeOf } from "./from-attempts";
import { nextDueAt } from "./installments";
import { columnsOfUse } from "./links/place";
import { isReusable, linkStatus } from "./links/usage";
import type { PaymentRow } from "./store";
import { surplusRefunded } from "./surplus-store";

/** Whether recomputing the row from its transactions, at `now`, would change its amounts, its status or its dates. */
export async function isStale(q: Reader, row: PaymentRow, attempts: readonly Attempt[], now: number) {
  if (isReusable(row)) return linkStatus(row, now) !== row.status;
  const facts = { ...row, attempts };
  const totals = totalsOf(facts);
  const derived: Partial<PaymentRow> = {
    ...totals,
    amountOverpaid: await overpaidOf(q, { ...row, ...totals }, attempts),
    status: derivePaymentStatus(facts, now),
    ...columnsOfUse(row, attempts),
    captureBefore: captureBeforeOf(attempts),
    dueAt: dueAtOf(row, totals),
  };
  return Object.entries(derived).some(([name, value]) => row[name as keyof PaymentRow] !== value);
}

/** When the payment request is due: with installments, that moves on as they are paid. */
export const dueAtOf = (
  { dueAt, installments }: Pick<PaymentRow, "dueAt" | "installments">,
  { amountPaid }: Pick<PaymentRow, "amountPaid">,
): number | null => (installments === null ? dueAt : nextDueAt(installments, amountPaid));

/** The surplus of the payment request. Reads refunds only if more was paid than its amount. */
export async function overpaidOf(q: Reader, row: PaymentRow, attempts: readonly Attempt[]): Promise<number> {
  const lost = amountLost(attempts);
  return amountOverpaid(row, lost) === 0 ? 0 : amountOverpaid(row, lost + (await surplusRefunded(q, row.id)));
}
