// The values of one line item in the form for a payment request, and the line item that they make.

import type { inferRouterInputs } from "@trpc/server";
import { parseMoney } from "@/app/_ui/money-text";
import { wholeNumberOf } from "@/app/_ui/whole-number";
import { taxCategories } from "@/db/schema/line-values";
import { netOf, sumOf } from "@/server/domains/payments/line-sums";
import { limits } from "@/server/kit/limits";
import { readPercent } from "@/server/kit/typed-number";
import { pieces, unitName, usualUnits } from "@/server/kit/units";
import type { AppRouter } from "@/server/pipeline/trpc-router";

type LineItem = NonNullable<inferRouterInputs<AppRouter>["payments"]["create"]["line_items"]>[number];

export interface LineValues {
  name: string;
  quantity: string;
  /** Of UN/ECE Recommendation 20. */
  unit: string;
  price: string;
  discount: string;
  tax: string;
  /** Why the rate is 0: these two count for that rate alone. */
  category: (typeof untaxedCategories)[number];
  exemption: string;
  /** Of a reusable link: between which quantities the payer chooses; empty where the quantity is fixed. */
  least: string;
  most: string;
}

export const blankLine: LineValues = {
  ...{ name: "", quantity: "1", unit: pieces, price: "", discount: "" },
  ...{ tax: "", category: "Z", exemption: "" },
  ...{ least: "", most: "" },
};

/** Hundredths of a percent; null for an empty field, undefined if it is not a percentage. */
export function basisPointsOf(text: string, locale: string): number | null | undefined {
  if (text.trim() === "") return null;
  const points = readPercent(text, locale);
  return points !== null && points <= limits.taxRateBasisPoints ? points : undefined;
}

/** Whether the text is empty or zero. */
export function hasNoDiscount(text: string, currency: string, locale: string): boolean {
  const parsed = parseMoney(text, currency, locale);
  return text.trim() === "" || ("problem" in parsed && parsed.problem === "zero");
}

export function lineOf(line: LineValues, currency: string, locale: string): LineItem | null {
  const price = parseMoney(line.price, currency, locale);
  const discount = hasNoDiscount(line.discount, currency, locale) ? null : parseMoney(line.discount, currency, locale);
  const quantity = wholeNumberOf(line.quantity, limits.quantity, locale);
  const tax = basisPointsOf(line.tax, locale);
  if (!("amount" in price) || (discount !== null && !("amount" in discount))) return null;
  if (quantity === null || tax === undefined) return null;
  return {
    name: line.name.trim(),
    quantity,
    unit_amount: price.amount,
    ...(tax === null ? {} : taxOf(line, tax)),
    ...(discount === null ? {} : { discount_amount: discount.amount }),
    ...(line.unit === pieces ? {} : { unit: line.unit }),
  };
}

/** The rate, and why it is 0 unless the line is taxed at 0 %. What is not subject to tax has no rate. */
function taxOf({ category, exemption }: LineValues, rate: number): Partial<LineItem> {
  if (rate > 0 || category === "Z") return { tax_rate_bp: rate };
  const reason = exemption.trim();
  return {
    ...(category === "O" ? {} : { tax_rate_bp: rate }),
    tax_category: category,
    ...(reason === "" ? {} : { tax_exemption_reason: reason }),
  };
}

/** The categories of a line with the rate 0. */
export const untaxedCategories = taxCategories.filter((category) => category !== "S");

/** Whether the line has the rate 0, whose category is asked for. */
export const isUntaxed = (line: LineValues, locale: string): boolean => basisPointsOf(line.tax, locale) === 0;

/** The units to choose from, with their names; also the one of a line if only a program can have given it. */
export const unitsFor = (current: string, namePieces: string, locale: string): { value: string; label: string }[] =>
  [...new Set([...usualUnits, current])].map((value) => ({
    ...{ value, label: value === pieces ? namePieces : unitName(value, locale) },
  }));

/** The lines as the sum takes them; null while one of them cannot be requested. */
function itemsOf(lines: readonly LineValues[], currency: string, locale: string): Parameters<typeof sumOf>[0] | null {
  const items = lines.map((line) => lineOf(line, currency, locale));
  if (items.some((item) => item === null)) return null;
  const complete = items.flatMap((item) => (item ? [{ tax_rate_bp: null, discount_amount: null, ...item }] : []));
  return complete as Parameters<typeof sumOf>[0];
}

/** The sum of the lines in minor units; null while it cannot be requested. */
export function linesTotal(lines: readonly LineValues[], currency: string, locale: string): number | null {
  const items = itemsOf(lines, currency, locale);
  const sum = items && sumOf(items);
  return sum && "amount" in sum ? sum.amount : null;
}

/** Why the sum of lines that are each valid cannot be requested; null if it can. */
export function sumProblemOf(
  lines: readonly LineValues[],
  currency: string,
  locale: string,
): "zero" | "tooLarge" | null {
  const items = itemsOf(lines, currency, locale);
  const sum = items && sumOf(items);
  if (!sum || !("problem" in sum) || sum.problem !== "out_of_range") return null;
  return items.every((item) => netOf(item) === 0n) ? "zero" : "tooLarge";
}

/** What a line costs before tax, in minor units; null while it cannot be requested. */
export function lineNetOf(line: LineValues, currency: string, locale: string): number | null {
  const [item] = itemsOf([line], currency, locale) ?? [];
  const net = item && netOf(item);
  return net === undefined || net < 0n || net > BigInt(limits.amount) ? null : Number(net);
}

/** Whether the discount is more than what the line costs without it. */
export function isDiscountTooLarge(line: LineValues, currency: string, locale: string): boolean {
  const [item] = itemsOf([line], currency, locale) ?? [];
  return item !== undefined && netOf(item) < 0n;
}
