// What the payment requests of a life are like.
import * as fc from "fast-check";
import { dayMs, minuteMs } from "@/server/kit/limits";
import { type Lines, lines } from "./lines";

export interface Terms {
  type: "product" | "subscription" | "invoice";
  capture: "automatic" | "manual";
  amount: number;
  /** What is bought, if it is not a reusable link; only a description by default. */
  lines?: Lines;
  /** Whether it is paid at once, in any parts, or by three installments. */
  parts: "none" | "any" | "plan";
  /** Days for which a subscription is free; none by default. */
  trialDays?: number;
  /** Milliseconds until it expires; null for the default. */
  livesMs: number | null;
  /** Milliseconds until an invoice without installments is due; by default some that never expire have a few days. */
  dueMs?: number;
  /** Whether it begins as a draft. */
  draft: boolean;
  /** Whether its customer is reminded, if it lives for days. */
  reminds?: boolean;
  /** How often it can be paid; once by default. Of five places one connection may hold two without paying, of two one. */
  uses?: "once" | "twice" | "five" | "any";
  /** What payers of a reusable link choose: nothing by default, how many seats, or the amount. */
  offer?: Offer;
}

export type Offer = "fixed" | "seats" | "donation";

export const terms: fc.Arbitrary<Terms> = fc.record({
  type: fc.constantFrom("product", "subscription", "invoice"),
  capture: fc.constantFrom("automatic", "manual"),
  amount: fc.oneof({ weight: 2, arbitrary: fc.constant(1250) }, fc.integer({ min: 1, max: 2500 })),
  lines,
  parts: fc.constantFrom("none", "none", "any", "plan"),
  trialDays: fc.constantFrom(undefined, 2, 14),
  livesMs: fc.constantFrom(null, null, 20_000, 10 * minuteMs, 3 * dayMs),
  draft: fc.constantFrom(false, false, false, true),
  reminds: fc.boolean(),
  uses: fc.constantFrom("once", "once", "once", "twice", "five", "any"),
  offer: fc.constantFrom<Offer>("fixed", "seats", "donation"),
});
