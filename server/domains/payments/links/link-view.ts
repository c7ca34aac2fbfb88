// What the pay page of a reusable link shows: the price of one use, and what each payer may choose.
import * as z from "zod";
import type { Reader } from "@/db/client";
import { limits } from "@/server/kit/limits";
import { fixedAmount } from "../fixed-amount";
import type { LinkedPage } from "../page-store";
import { readPayment } from "../store";
import { priceOf } from "./rules";
import { forUse, isPaused, isReusable, isUsedUp, refusalOfPlace } from "./usage";

type Row = LinkedPage["payment"];

/** A payment request as its page shows it: always with an amount. */
type Shown = Row & { amount: number };
export type ShownPage = Omit<LinkedPage, "payment"> & { payment: Shown };

/** Quantities that the payer has chosen so far, by the index of their lines. */
export const chosenQuantities = z
  .array(z.strictObject({ line: z.int(), quantity: z.int().nullable() }))
  .max(limits.lineItems)
  .default([]);

/** What each payer of a reusable link chooses, on its page. */
export const linkChoice = z
  .strictObject({
    custom_amount: z.strictObject({ minimum: z.int(), maximum: z.int(), suggested: z.int().nullable() }).nullable(),
    /** The adjustable lines, by their index. */
    quantities: z.array(z.strictObject({ line: z.int(), minimum: z.int(), maximum: z.int() })),
  })
  .nullable();

/** The choice that a reusable link leaves to its payers; null for any other payment request. */
export function choiceOf(row: Row): z.input<typeof linkChoice> {
  if (!isReusable(row)) return null;
  const quantities = row.lineItems.flatMap(({ adjustable_quantity: range }, line) => (range ? { line, ...range } : []));
  return { custom_amount: row.customAmount, quantities };
}

/**
 * The row as its page shows it: of a reusable link one use, with the chosen quantities or, if they cannot be chosen, its
 * own. Where payers choose the amount, it is what the page proposes. What others have paid is nobody's business.
 */
export function shownUse(row: Row, chosen: z.output<typeof chosenQuantities>): Shown {
  if (!isReusable(row)) return { ...row, amount: fixedAmount(row) };
  const { customAmount: custom } = row;
  const quantities = new Map(chosen.map(({ line, quantity }) => [line, quantity]));
  const own = { amount: custom ? (custom.suggested ?? custom.minimum) : fixedAmount(row), lineItems: row.lineItems };
  const price = custom ? own : priceOf(row, { quantities, amount: null });
  const { amount, lineItems } = "amount" in price ? price : own;
  return {
    ...row,
    amount,
    lineItems,
    amountPaid: 0,
    ...{ amountReopened: 0, amountLost: 0 },
    amountWaived: 0,
    amountRefunded: 0,
    disputeStatus: "none",
    paidAt: null,
  };
}

/**
 * Why a use without a place, or a link that has not ended, cannot be paid at `now`: all places are taken for good, or
 * held, or the link was paused or canceled. Null if it can.
 */
export async function placeProblem(q: Reader, row: Row, now: number) {
  const hasPlace = row.place !== null || (row.parentPaymentId === null && !isReusable(row));
  const link = hasPlace ? undefined : row.parentPaymentId === null ? row : await readPayment(q, row.parentPaymentId);
  const refusal = link ? refusalOfPlace(link, now) : null;
  if (!link || refusal === null) return null;
  if (isPaused(forUse(link), now)) return "link_paused";
  if (refusal !== "link_used_up") return "canceled";
  return isUsedUp(link) ? "used_up" : "taken";
}
