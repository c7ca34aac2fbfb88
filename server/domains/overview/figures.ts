// The figures of the home page by currency and day: their wire schema, and the sums that they are made of.
import * as z from "zod";
import * as fields from "@/server/kit/fields";
import type { Day } from "./period";

const total = z.strictObject({ amount: fields.total, count: z.int().min(0) });
/** What happened in a period. What was requested counts on the day of its creation, whatever became of it. */
const happened = z.strictObject({ requested: total, received: total, refunded: total, disputed: total });

export const currencyFigures = z.strictObject({
  currency: fields.currencyCode,
  now: happened,
  /** In the period before. */
  before: happened,
  /** Due at the time of the call, whenever it was requested. */
  open: total,
  /** Minor units for each day of the period. */
  days: z.array(z.strictObject({ received: fields.total, refunded: fields.total, disputed: fields.total })),
});
type CurrencyFigures = z.input<typeof currencyFigures>;

/** A sum in one currency, in minor units. */
interface Sum {
  currency: string;
  amount: number;
  count: number;
}

const nothing = () => ({ amount: 0, count: 0 });
const nothingHappened = () => ({
  ...{ requested: nothing(), received: nothing(), refunded: nothing(), disputed: nothing() },
});

/** Sorts sums into currencies and days. */
export class Figures {
  /** False if a sum of payments or refunds is larger than what can be shown. */
  isComplete = true;
  /** False if what is due is larger than what can be shown. */
  isOpenComplete = true;
  /** False if what was requested is larger than what can be shown. */
  isRequestedComplete = true;
  readonly #byCurrency = new Map<string, CurrencyFigures>();

  constructor(readonly days: readonly Day[]) {}

  /**
   * Adds a sum of payments, refunds or disputes. `at` is when its part of the period starts, for the day that it belongs
   * to.
   */
  add(
    period: "now" | "before",
    kind: "received" | "refunded" | "disputed",
    { currency, amount, count }: Sum,
    at: number | null,
  ): void {
    const figures = this.#of(currency);
    if (!addTo(figures[period][kind], amount, count)) this.isComplete = false;
    const day = at === null ? undefined : figures.days[this.#dayOf(at)];
    if (day) day[kind] = sumOf(day[kind], amount);
  }

  addOpen({ currency, amount, count }: Sum): void {
    if (!addTo(this.#of(currency).open, amount, count)) this.isOpenComplete = false;
  }

  addRequested(period: "now" | "before", { currency, amount, count }: Sum): void {
    if (!addTo(this.#of(currency)[period].requested, amount, count)) this.isRequestedComplete = false;
  }

  sorted(): CurrencyFigures[] {
    const size = ({ now, before, open }: CurrencyFigures) => now.received.count + before.received.count + open.count;
    return [...this.#byCurrency.values()].sort((a, b) => size(b) - size(a) || (a.currency < b.currency ? -1 : 1));
  }

  #dayOf(at: number): number {
    let [low, high] = [0, this.days.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.days[middle]?.from ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #of(currency: string): CurrencyFigures {
    const known = this.#byCurrency.get(currency) ?? {
      currency,
      now: nothingHappened(),
      before: nothingHappened(),
      open: nothing(),
      days: this.days.map(() => ({ received: 0, refunded: 0, disputed: 0 })),
    };
    this.#byCurrency.set(currency, known);
    return known;
  }
}

/** The sum, or the largest exact number. Both summands are exact: a window has few enough rows. */
const sumOf = (a: number, b: number): number => Math.min(a + b, Number.MAX_SAFE_INTEGER);

/** Returns whether the new total is exact. */
function addTo(total: { amount: number; count: number }, amount: number, count: number): boolean {
  const sum = total.amount + amount;
  total.amount = sumOf(total.amount, amount);
  total.count += count;
  return Number.isSafeInteger(sum);
}
