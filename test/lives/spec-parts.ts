// The rules of payments in parts a second time, for tests: what is left of each installment, and what a form may charge.
import { dueOf, missingOf, type Request } from "./spec";

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** What is left to pay of each installment: what is due in all belongs to the last ones. */
export function leftOf(request: Request): number[] {
  const due = missingOf(request);
  const parts = request.terms.installments ?? [];
  return parts.map(({ amount }, i) => {
    const later = sum(parts.slice(i + 1).map((one) => one.amount));
    return Math.min(amount, Math.max(0, due - later));
  });
}

/** The due date that belongs to the payment request's amounts: of the first installment of which something is left. */
export function dueDateOf(request: Request): number | null {
  const { installments, dueAt } = request.terms;
  if (installments === null) return dueAt;
  const first = leftOf(request).findIndex((left) => left > 0);
  return installments[first === -1 ? installments.length - 1 : first]?.due_at ?? null;
}

/** The smallest part that a payer may choose, in cents: half a euro, and a hundredth of the amount. */
const leastOf = ({ amount, minimumAmount }: Request["terms"]): number =>
  Math.max(minimumAmount ?? 0, 50, Math.ceil((amount ?? 0) / 100));

/** Whether it can become final at `at`: payers could choose a part, and its installments are not all over. */
export function arePartsPossible({ terms }: Pick<Request, "terms">, at: number): boolean {
  const { amount, allowPartial, minimumAmount, installments } = terms;
  const last = installments?.at(-1)?.due_at ?? null;
  const least = leastOf(terms);
  const hasParts = (amount ?? 0) >= 2 * least && (minimumAmount === null || minimumAmount === least);
  const areLarge = installments?.every((one) => one.amount >= 50) ?? true;
  return (!allowPartial || hasParts) && areLarge && (last === null || last > at);
}

/** Whether an invoice is due on the day of `at` or later, as it must be once it is issued. */
export const isDueAfter = ({ terms: { type, dueAt } }: Pick<Request, "terms">, at: number): boolean =>
  type !== "invoice" || dueAt === null || dueAt >= at - (at % 86_400_000);

/** What a payer saw on a page and chose there, in minor units. */
export interface Seen {
  choice: "next" | "overdue" | "all" | "own";
  amount: number | null;
  due: number;
}

/** What a form may charge: what its payer saw and chose, as long as nothing of it has changed; otherwise 0. */
export function chargeOf(request: Request, { choice, amount, due }: Seen, at: number): number {
  const { allowPartial, installments } = request.terms;
  if (due !== dueOf(request) || amount === null) return 0;
  if (choice === "all" || (choice === "own" && allowPartial && amount === due)) return amount === due ? due : 0;
  const left = leftOf(request).map((part, i) => ({ part, at: installments?.[i]?.due_at ?? 0 }));
  const open = left.filter(({ part }) => part > 0);
  const late = open.filter((one) => one.at < at);
  if (choice === "next") return open.length > 1 && open[0]?.part === amount ? amount : 0;
  if (choice === "overdue") {
    const isOffered = late.length > 1 && late.length < open.length;
    return isOffered && sum(late.map(({ part }) => part)) === amount ? amount : 0;
  }
  const least = leastOf(request.terms);
  return allowPartial && amount >= least && due - amount >= least ? amount : 0;
}
