// Pure rules of the uses of reusable links: their places, and what a payer may choose.
import type { LineItem } from "@/db/schema/line-values";
import type { CustomAmount, paymentPlaces } from "@/db/schema/values";
import { limits } from "@/server/kit/limits";
import { type Attempt, isUnderWay } from "../derive";
import { sumOf } from "../line-sums";

type Place = (typeof paymentPlaces)[number];

/**
 * The place that a use has according to its attempts. It is held as long as one of them may still take money, and taken
 * once one has: a refund gives no place back.
 */
export function placeOf(attempts: readonly Attempt[]): Place | null {
  if (attempts.some(({ amountCaptured }) => amountCaptured > 0)) return "taken";
  return attempts.some(isUnderWay) ? "held" : null;
}

/** Places that an address holds by attempts of one status and, where it is known, with one card. */
export interface HeldPlaces {
  status: Attempt["status"];
  count: number;
  /** Whether the use in question is among them. */
  hasOwn: boolean;
}

/**
 * How many places one payer may hold. Authorizations of different cards are of different payers; nothing is known about
 * the payers of charges that were not confirmed, or whose answer was lost.
 */
export function heldByOne(places: readonly HeldPlaces[]): { count: number; hasOwn: boolean } {
  const counted = places.filter(({ status, count }) => status !== "authorized" || count > 1);
  return {
    count: counted.reduce((sum, { count }) => sum + count, 0),
    hasOwn: counted.some(({ hasOwn }) => hasOwn),
  };
}

/** How many places of a limited link one address may hold without having paid. */
export const mostUnconfirmed = (usageLimit: number): number =>
  // Never all of them.
  Math.max(Math.min(limits.links.unconfirmed, usageLimit - 1), Math.floor(usageLimit / limits.links.unconfirmedShare));

/** What a payer chose: a quantity for each line whose index it names, or an amount; null for a text that is neither. */
interface Chosen {
  quantities: ReadonlyMap<number, number | null>;
  /** Minor units. */
  amount: number | null;
  /** The amount that the payer was asked to confirm, and did. */
  confirmed?: number | null | undefined;
}

type Offer = { amount: number | null; lineItems: readonly LineItem[]; customAmount: CustomAmount | null };

/** The lines with the chosen quantities. Those without a choice of the payer keep theirs; null if one is out of range. */
function chosenLines({ lineItems }: Pick<Offer, "lineItems">, { quantities }: Pick<Chosen, "quantities">) {
  const lines: LineItem[] = [];
  for (const [index, { adjustable_quantity: range, ...line }] of lineItems.entries()) {
    const quantity = range && quantities.has(index) ? quantities.get(index) : line.quantity;
    if (quantity == null) return null;
    if (range && (quantity < range.minimum || quantity > range.maximum)) return null;
    lines.push({ ...line, quantity });
  }
  return lines;
}

export const useProblems = [
  "quantity_invalid",
  "use_amount_invalid",
  "use_amount_too_small",
  "use_amount_too_large",
  "amount_unconfirmed",
] as const;

type UseProblem = (typeof useProblems)[number];

/** Whether an amount is so far above the suggested one that its payer must confirm it: often a slip. */
const isFarAbove = (amount: number, suggested: number): boolean => amount > limits.farAbove * suggested;

/** What one use costs with what the payer chose, and its lines; or why that cannot be chosen. */
export function priceOf(
  offer: Offer,
  chosen: Chosen,
): { amount: number; lineItems: LineItem[] } | { problem: UseProblem } {
  const { customAmount: custom } = offer;
  if (custom) {
    const { amount, confirmed } = chosen;
    if (amount === null || amount < 1) return { problem: "use_amount_invalid" };
    if (amount < custom.minimum) return { problem: "use_amount_too_small" };
    if (amount > custom.maximum) return { problem: "use_amount_too_large" };
    const isClear = amount === confirmed || custom.suggested === null || !isFarAbove(amount, custom.suggested);
    return isClear ? { amount, lineItems: [] } : { problem: "amount_unconfirmed" };
  }
  const lineItems = chosenLines(offer, chosen);
  if (lineItems === null) return { problem: "quantity_invalid" };
  if (offer.amount !== null && lineItems.length === 0) return { amount: offer.amount, lineItems };
  const sum = sumOf(lineItems);
  return "amount" in sum ? { amount: sum.amount, lineItems } : { problem: "quantity_invalid" };
}
