// What line items add up to: nets, taxes and totals, in exact integers.
import type { LineItem, TaxCategory } from "@/db/schema/line-values";
import { limits } from "@/server/kit/limits";
import { categoryOf } from "./tax-category";

/** Minor units of one line: quantity x unit amount, less discount, plus tax rounded half up. Null if below 0. */
export function lineTotal(line: LineItem): bigint | null {
  const net = netOf(line);
  return net < 0n ? null : net + taxOf(line);
}

/** Minor units of a line before tax. */
export const netOf = (line: Pick<LineItem, "quantity" | "unit_amount" | "discount_amount">): bigint =>
  BigInt(line.quantity) * BigInt(line.unit_amount) - BigInt(line.discount_amount ?? 0);

/** Minor units of a line's tax, rounded half up once. */
const taxOf = (line: LineItem): bigint => (netOf(line) * BigInt(line.tax_rate_bp ?? 0) + 5_000n) / 10_000n;

/** The lines of one tax category and rate together, in minor units; the rate is in basis points. */
interface RateTax<Rate> {
  category: TaxCategory | null;
  rate: Rate;
  net: bigint;
  tax: bigint;
}

/** The tax of each rate above 0, the lowest rate first. */
export const taxesOf = (lines: readonly LineItem[]): RateTax<number>[] =>
  taxesByRate(lines).flatMap(({ rate, ...sums }) => (rate !== null && rate > 0 ? [{ rate, ...sums }] : []));

/**
 * The tax of each category and rate, the lowest rate first, before them that of the lines without a rate: null. It is
 * rounded per line, so nets and taxes add up exactly.
 */
export function taxesByRate(lines: readonly LineItem[]): RateTax<number | null>[] {
  const byRate = new Map<string, RateTax<number | null>>();
  for (const line of lines) {
    const { tax_rate_bp: rate } = line;
    const category = categoryOf(line);
    const key = `${category} ${rate}`;
    const { net, tax } = byRate.get(key) ?? { net: 0n, tax: 0n };
    byRate.set(key, { category, rate, net: net + netOf(line), tax: tax + taxOf(line) });
  }
  return [...byRate.values()].sort((a, b) => (a.rate ?? -1) - (b.rate ?? -1));
}

/** Minor units of all lines before tax. */
export const subtotalOf = (lines: readonly LineItem[]): bigint => lines.reduce((sum, each) => sum + netOf(each), 0n);

type Sum = { amount: number } | { problem: "line_below_zero"; line: number } | { problem: "out_of_range" };

/** The sum of the lines, in exact integers. */
export function sumOf(lines: readonly LineItem[]): Sum {
  let sum = 0n;
  for (const [index, line] of lines.entries()) {
    const total = lineTotal(line);
    if (total === null) return { problem: "line_below_zero", line: index };
    sum += total;
  }
  return sum >= 1n && sum <= BigInt(limits.amount) ? { amount: Number(sum) } : { problem: "out_of_range" };
}
