// What a payer can choose to pay: all that is due, the next installments, or a part of the payer's own choice.
import type { Installment } from "@/db/schema/values";
import { smallestPartOf } from "@/server/kit/currency";
import { amountDue } from "./derive";
import { openPart, paidOfPlan, sharesOf } from "./installments";

/** The choices whose amount the payment request determines. */
export const fixedChoices = ["next", "overdue", "all"] as const;

export const choices = [...fixedChoices, "own"] as const;

type FixedChoice = (typeof fixedChoices)[number];
export type Choice = (typeof choices)[number];

/** The columns of a payment request that decide what can be chosen. */
export interface Divisible {
  amount: number | null;
  currency: string;
  amountPaid: number;
  amountWaived: number;
  amountReopened: number;
  canceledAt: number | null;
  allowPartial: boolean;
  minimumAmount: number | null;
  installments: readonly Installment[] | null;
}

interface Options {
  /** The smallest first, in minor units. */
  fixed: { choice: FixedChoice; amount: number }[];
  /** The smallest and the largest amount that is a part; null if the payer cannot pay a part of his or her choice. */
  own: { least: number; most: number } | null;
}

/** Whether the payer of the payment request may ever pay less than all at once. */
export const isDivisible = ({ allowPartial, installments }: Pick<Divisible, "allowPartial" | "installments">) =>
  allowPartial || installments !== null;

/** Minor units of the smallest part that the payer may choose. */
const leastOf = (row: Divisible): number =>
  Math.max(row.minimumAmount ?? 0, smallestPartOf({ amount: row.amount ?? 0, currency: row.currency }));

type Shares = ReturnType<typeof sharesOf>;

/** The installments that are not paid in full. */
const openShares = (row: Divisible): Shares =>
  sharesOf(row.installments ?? [], paidOfPlan(row)).filter((share) => openPart(share) > 0);

/** Minor units of installments that are not paid. */
const sumOf = (shares: Shares): number => shares.reduce((total, share) => total + openPart(share), 0);

/** What the payer can choose at `now`. A choice that would be the same as another is left out. */
export function optionsOf(row: Divisible, now: number): Options {
  const due = amountDue(row);
  const open = openShares(row);
  const overdue = open.filter((share) => share.due_at < now);
  const fixed: Options["fixed"] = [
    ...(open.length > 1 ? [{ choice: "next" as const, amount: sumOf(open.slice(0, 1)) }] : []),
    ...(overdue.length > 1 && overdue.length < open.length
      ? [{ choice: "overdue" as const, amount: sumOf(overdue) }]
      : []),
    { choice: "all", amount: due },
  ];
  const least = leastOf(row);
  return { fixed, own: row.allowPartial && due >= 2 * least ? { least, most: due - least } : null };
}

/** Minor units to ask for next: what is overdue, or else the next installment; all that is due without installments. */
export function askedNext(row: Divisible, now: number): number {
  const open = openShares(row);
  const overdue = open.filter((share) => share.due_at < now);
  const asked = overdue.length > 0 ? overdue : open.slice(0, 1);
  return asked.length === open.length ? amountDue(row) : sumOf(asked);
}

/** What a payer chose, and what the page said then, in minor units; null where the form does not tell. */
interface Chosen {
  choice: Choice;
  /** The amount of the choice, as shown or typed. */
  amount: number | null;
  /** All that was due. */
  due: number | null;
}

export const amountProblems = [
  "amount_changed",
  "amount_invalid",
  "amount_too_small",
  "amount_too_large",
  "amount_leaves_too_little",
] as const;

type AmountProblem = (typeof amountProblems)[number];

/**
 * The amount to charge for what the payer chose, or why nothing is charged: also if any amount that the payer saw is
 * another one at `now`. Only a payment request that is paid at once takes a form that tells no amounts.
 */
export function chargeOf(
  row: Divisible,
  { choice, amount, due }: Chosen,
  now: number,
): { amount: number } | { problem: AmountProblem } {
  const all = amountDue(row);
  if (due === null ? isDivisible(row) : due !== all) return { problem: "amount_changed" };
  const { fixed, own } = optionsOf(row, now);
  if (choice !== "own") {
    const offered = fixed.find((one) => one.choice === choice);
    const seen = choice === "all" ? (amount ?? all) : amount;
    return offered && offered.amount === seen ? { amount: seen } : { problem: "amount_changed" };
  }
  if (!row.allowPartial) return { problem: "amount_changed" };
  if (amount === null || amount < 1) return { problem: "amount_invalid" };
  if (amount > all) return { problem: "amount_too_large" };
  // The rest may always be paid, however small it is.
  if (amount === all) return { amount };
  if (amount < leastOf(row)) return { problem: "amount_too_small" };
  return own !== null && amount <= own.most ? { amount } : { problem: "amount_leaves_too_little" };
}
