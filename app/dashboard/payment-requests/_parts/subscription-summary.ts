// What a subscription will charge, of the values of the form while somebody types them.

import { wholeNumberOf } from "@/app/_ui/whole-number";
import { limits } from "@/server/kit/limits";
import { mayHaveTrial } from "./link-values";
import { amountOf, type RequestValues } from "./request-values";

interface SubscriptionSummary {
  /** Minor units of each cycle. */
  amount: number;
  count: number;
  /** Of the trial, and the day after it if it begins today; null without one. */
  trial: { days: number; firstCharge: Date } | null;
  /** How many cycles there are, and their sum in minor units; null without end. */
  end: { cycles: number; total: number } | null;
}

/** The summary; null for other types, and while a number is missing or wrong. */
export function summaryOf(values: RequestValues, locale: string, now: number): SubscriptionSummary | null {
  if (values.type !== "subscription") return null;
  const amount = amountOf(values, locale);
  const count = wholeNumberOf(values.intervalCount, limits.subscriptionIntervalCount, locale);
  const days = mayHaveTrial(values) ? optional(values.trial, limits.trialDays, locale) : null;
  const cycles = optional(values.cycles, limits.subscriptionCycles, locale);
  if (amount === null || count === null || days === undefined || cycles === undefined) return null;
  return {
    ...{ amount, count },
    trial: days === null ? null : { days, firstCharge: daysAfter(now, days) },
    end: cycles === null ? null : { cycles, total: amount * cycles },
  };
}

/** The number; null for an empty field, undefined if it is not one. */
function optional(text: string, most: number, locale: string): number | null | undefined {
  return text.trim() === "" ? null : (wholeNumberOf(text, most, locale) ?? undefined);
}

/** So many days later in the browser's calendar. */
function daysAfter(now: number, days: number): Date {
  const day = new Date(now);
  day.setDate(day.getDate() + days);
  return day;
}
