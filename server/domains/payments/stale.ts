// Whether a stored payment request disagrees with its transactions and the time, because a process with a wrong
// clock wrote it.
import type { Reader } from "@/db/client";
import { type Attempt, derivePaymentStatus } from "./derive";
import { amountChargedBack, type Balanced, balanceOf } from "./disputed";
import { captureBeforeOf } from "./from-attempts";
import { nextDueAt, paidOfPlan } from "./installments";
import { columnsOfUse } from "./links/place";
import { isReusable, linkStatus } from "./links/usage";
import type { PaymentRow } from "./store";
import { surplusRefunded } from "./surplus-store";
import { totalsOf } from "./totals";

/** Whether recomputing the row from its transactions, at `now`, would change its amounts, its status or its dates. */
export async function isStale(q: Reader, row: PaymentRow, attempts: readonly Attempt[], now: number) {
  if (isReusable(row)) return linkStatus(row, now) !== row.status;
  const facts = { ...row, attempts };
  const totals = totalsOf(facts);
  const settled = await settledOf(q, { ...row, ...totals }, attempts);
  const derived: Partial<PaymentRow> = {
    ...totals,
    ...settled,
    status: derivePaymentStatus({ ...facts, ...settled }, now),
    paidLateAt: paidLateOf(attempts),
    ...columnsOfUse(row, attempts),
    captureBefore: captureBeforeOf(attempts),
    dueAt: dueAtOf(row, { ...row, ...totals }),
  };
  return Object.entries(derived).some(([name, value]) => row[name as keyof PaymentRow] !== value);
}

/** When the payment request is due: with installments, that moves on as they are paid. */
export const dueAtOf = (
  { dueAt, installments }: Pick<PaymentRow, "dueAt" | "installments">,
  row: Parameters<typeof paidOfPlan>[0],
): number | null => (installments === null ? dueAt : nextDueAt(installments, paidOfPlan(row)));

/**
 * The surplus of the payment request, and what of its lost disputes nobody has decided about. Reads refunds only if more
 * was received than its amount.
 */
export async function settledOf(q: Reader, row: Balanced & { id: string }, attempts: readonly Attempt[]) {
  const refunded = balanceOf(row, 0) > 0 ? await surplusRefunded(q, row.id) : 0;
  const balance = balanceOf(row, amountChargedBack(attempts) + refunded);
  return { amountOverpaid: Math.max(0, balance), amountLost: Math.max(0, -balance) };
}

/** Since when money that arrived late waits for somebody to accept or return it; null if none does. */
export function paidLateOf(attempts: readonly Attempt[]): number | null {
  const times = attempts.flatMap((one) => (one.lateAt !== null && isKept(one) ? [one.lateAt] : []));
  return times.length > 0 ? Math.min(...times) : null;
}

const isKept = (one: Attempt): boolean => one.amountCaptured > one.amountRefunded + amountChargedBack([one]);
