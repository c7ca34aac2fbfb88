// The rules of reusable links a second time, for tests.
import type { PaymentRow } from "@/server/domains/payments/store";
import type { TransactionRow } from "@/server/domains/transactions/present";

/** A use of a link, with its payments. */
interface Use {
  row: Pick<
    PaymentRow,
    "id" | "place" | "isIdle" | "status" | "overLimitAt" | "expiresAt" | "canceledAt" | "failedAt" | "customer"
  >;
  payments: readonly TransactionRow[];
}

export interface Link {
  terms: Pick<PaymentRow, "usageLimit" | "canceledAt" | "expiresAt">;
  uses: readonly Use[];
}

const isPaid = ({ payments }: Pick<Use, "payments">) => payments.some((one) => one.amountCaptured > 0);

/** A place is held as long as money may still come, and never given back once some has. */
export function placeOf(payments: readonly TransactionRow[]): "held" | "taken" | null {
  if (isPaid({ payments })) return "taken";
  const isOpen = ({ status }: TransactionRow) => ["processing", "requires_action", "authorized"].includes(status);
  return payments.some(isOpen) ? "held" : null;
}

const total = (link: Link, pick: (one: TransactionRow) => number): number =>
  link.uses.flatMap(({ payments }) => payments).reduce((sum, one) => sum + pick(one), 0);

/** What the row of the link keeps about its uses. */
export const countsOf = (link: Link) => ({
  usesCount: link.uses.filter(isPaid).length,
  usesReserved: link.uses.filter(({ payments }) => placeOf(payments) === "held").length,
  amountPaid: total(link, (one) => one.amountCaptured),
  amountRefunded: total(link, (one) => one.amountRefunded),
});

/** Whether no place is left for anybody who has none. */
export function isFull(link: Link): boolean {
  const { usesCount, usesReserved } = countsOf(link);
  return link.terms.usageLimit !== null && usesCount + usesReserved >= link.terms.usageLimit;
}

export function statusOf(link: Link, at: number): "canceled" | "paid" | "expired" | "pending" {
  const { usageLimit, canceledAt, expiresAt } = link.terms;
  if (canceledAt !== null) return "canceled";
  if (usageLimit !== null && link.uses.filter(isPaid).length >= usageLimit) return "paid";
  return expiresAt !== null && at >= expiresAt ? "expired" : "pending";
}

/** Whether somebody may begin a use. */
export const mayUse = (link: Link, at: number): boolean => statusOf(link, at) === "pending" && !isFull(link);

/** Whether the link may end at `until` instead. */
export function mayExtend(link: Link, at: number, until: number): boolean {
  const { expiresAt } = link.terms;
  const isOpen = ["pending", "expired"].includes(statusOf(link, at));
  return isOpen && expiresAt !== null && until > expiresAt && until > at && until <= at + 366 * 86_400_000;
}

/** How many uses of the payer with this address may still charge a card: at most one does. */
export function openUsesOf(link: Link, email: string): number {
  const isOpen = ({ status }: TransactionRow) => status === "processing" || status === "requires_action";
  const isTheirs = ({ row, payments }: Use) => row.customer?.email === email && placeOf(payments) === "held";
  return link.uses.filter((use) => isTheirs(use) && use.payments.some(isOpen)).length;
}

/** How many payers there are beyond the limit. */
export const excessOf = (link: Link): number =>
  link.terms.usageLimit === null ? 0 : Math.max(0, countsOf(link).usesCount - link.terms.usageLimit);
