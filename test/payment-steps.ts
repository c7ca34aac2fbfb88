// The steps of a payment request's random life: actions of payers, merchants and providers, and the passing of time.
import * as fc from "fast-check";
import { lostAnswerCode, noAnswerCode, testCards, troubledCard } from "@/server/domains/providers/test-cards";
import type { Cut, Moment, ProviderCall } from "./provider-faults";

export type Fault = { cut: Cut; moment: Moment } | null;

export type Step =
  | { do: "pay"; number: string; code?: string; times: number; tab: "new" | "old"; fault: Fault }
  | { do: "answer"; answer: "complete" | "fail"; fault: Fault }
  | { do: "leave" | "cancel"; fault: Fault }
  | { do: "capture" | "refund"; amount: number | undefined; fault: Fault }
  | { do: "record"; amount: number }
  | { do: "void" | "close" }
  | { do: "wait"; ms: number }
  | { do: "work"; failing: ProviderCall | null; breaksPromise: boolean }
  | { do: "arrive" }
  | { do: "report"; which: number[] };

const amount = fc.integer({ min: 1, max: 1250 });
const part = fc.option(amount, { nil: undefined });
const fault: fc.Arbitrary<Fault> = fc.option(
  fc.record({
    cut: fc.constantFrom("reset" as const, "silence" as const, "death" as const),
    moment: fc.constantFrom("before" as const, "after" as const, "late" as const),
  }),
  { freq: 2 },
);
const does = <Name extends Step["do"]>(name: Name) => fc.constant(name);

/** All kinds of cards; those that succeed or ask for confirmation occur more often. */
const number = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("4242424242424242", "4000000000007726", "4000000000005126") },
  { weight: 3, arbitrary: fc.constantFrom("4000002500003155", "4000008260003178") },
  { weight: 1, arbitrary: fc.constantFrom(...testCards.keys()) },
);

/** Cards whose provider declines, charges but loses the answer, or never receives the charge. */
const troubled: fc.Arbitrary<Step> = fc.record({
  do: does("pay"),
  number: fc.constant(troubledCard),
  code: fc.constantFrom("123", lostAnswerCode, noAnswerCode),
  times: fc.integer({ min: 1, max: 3 }),
  tab: fc.constantFrom("new", "old"),
  fault,
});

const pay: fc.Arbitrary<Step> = fc.record({
  do: does("pay"),
  number,
  times: fc.integer({ min: 1, max: 3 }),
  tab: fc.constantFrom("new", "old"),
  fault,
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: pay },
  { weight: 2, arbitrary: troubled },
  { weight: 4, arbitrary: fc.record({ do: does("answer"), answer: fc.constantFrom("complete", "fail"), fault }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("leave", "cancel"), fault }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom("capture", "refund"), amount: part, fault }) },
  { weight: 2, arbitrary: fc.record({ do: does("record"), amount }) },
  { weight: 1, arbitrary: fc.record({ do: does("void") }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ do: "leave", fault: null }, { do: "close" }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: does("wait"),
      ms: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(1000, 6_000, 31_000) },
        {
          weight: 2,
          arbitrary: fc.constantFrom(600_000, 16 * 60_000, 3 * 86_400_000, 8 * 86_400_000, 31 * 86_400_000),
        },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: does("work"),
      failing: fc.option(fc.constantFrom<ProviderCall>("lookup", "capture", "cancel", "refund"), { freq: 4 }),
      breaksPromise: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: does("arrive") }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: does("report"), which: fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }) }),
  },
);

const good = { do: "pay", number: "4242424242424242", times: 1, tab: "new", fault: null } as const;
const work = { do: "work", failing: null, breaksPromise: false } as const;

/** Rare sequences that single random steps would hardly ever produce. */
const turns: fc.Arbitrary<Step[]> = fc.constantFrom<Step[]>(
  // A charge is given up, another card pays, and the first charge arrives late.
  [{ ...good, fault: { cut: "silence", moment: "late" } }, { do: "wait", ms: 31_000 }, work, good, { do: "arrive" }],
  // An authorization is voided early, and another one follows.
  [good, { do: "void" }, work, { do: "wait", ms: 2 * 86_400_000 }, good],
  // A part is refunded after the payment request expired, and the payer tries again.
  [
    { do: "record", amount: 300 },
    { do: "wait", ms: 600_000 },
    { do: "refund", amount: 100, fault: null },
    { ...good, tab: "old" },
  ],
);

/** Offline payments received before, and their refunds. */
const before: fc.Arbitrary<Step[]> = fc.constantFrom<Step[]>(
  [],
  [
    { do: "record", amount: 400 },
    { do: "refund", amount: 100, fault: null },
  ],
  [
    { do: "record", amount: 400 },
    { do: "refund", amount: 400, fault: null },
  ],
);

/** The steps of one payment request's life. One of the first is a card payment. */
export const steps: fc.Arbitrary<Step[]> = fc
  .tuple(
    before,
    fc.option(turns, { nil: [] }),
    fc.oneof({ weight: 3, arbitrary: pay }, troubled),
    fc.array(step, { minLength: 3, maxLength: 14, size: "max" }),
  )
  .map(([earlier, turn, first, rest]) => [...earlier, ...turn, first, ...rest]);
