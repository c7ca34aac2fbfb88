// Equal monthly installments of an amount.
import { monthsAfter } from "@/server/kit/day-bounds";

/** An installment as the form sends it. */
export interface PlannedInstallment {
  /** Minor units. */
  amount: number;
  /** The day on which it is due, which ends in the account's time zone; or an instant. */
  due_at: string;
}

/**
 * Splits the amount into installments that differ by at most one minor unit, the larger ones first. They are due on the
 * same day of each month, or on the last of a shorter one.
 */
export function monthlyInstallments(amount: number, count: number, firstDay: string): PlannedInstallment[] {
  const [least, rest] = [Math.floor(amount / count), amount % count];
  return Array.from({ length: count }, (_, i) => ({
    amount: least + (i < rest ? 1 : 0),
    due_at: monthsAfter(firstDay, i),
  }));
}
