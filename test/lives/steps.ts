// The steps of an organization's random life: what payers, merchants and providers do, and the passing of time.
import * as fc from "fast-check";
import type { SimulatedEvent } from "@/server/domains/providers/sandbox-events";
import { lostAnswerCode, noAnswerCode, testCards, troubledCard } from "@/server/domains/providers/test-cards";
import { dayMs, minuteMs } from "@/server/kit/limits";
import type { Cut, Moment, ProviderCall } from "../provider-faults";
import { type Use, use } from "./offers";
import {
  type Address,
  addressStep,
  type CardStep,
  cardStep,
  does,
  erasure,
  key,
  request,
  type Steer,
  sandboxStep,
  steer,
  wait,
  work,
} from "./sandbox-steps";
import { type Terms, terms } from "./terms";
import { before, turns } from "./turns";

export type { Terms } from "./terms";

export type Fault = { cut: Cut; moment: Moment } | null;

/** How often a command is sent, and with which key: `same` sends it twice with one, concurrently. */
export type Key = "none" | "own" | "same";

/** Numbers of objects are taken modulo how many there are. */
export type Step =
  | ({ do: "ask"; account: number } & Terms)
  | ({
      do: "pay";
      request: number;
      number: string;
      code?: string;
      times: number;
      tab: "new" | "old";
      fault: Fault;
    } & Pick)
  | ({ do: "use"; link: number; number: string; code?: string; times: number; fault: Fault } & Use)
  | { do: "cancelLink"; link: number }
  | { do: "extendLink"; link: number; ms: number }
  | { do: "pauseLink"; link: number; paused: boolean }
  | { do: "answer"; request: number; answer: "complete" | "fail"; fault: Fault }
  | { do: "leave" | "cancel"; request: number; fault: Fault }
  | Steer
  | CardStep
  | { do: "see" | "askForLink"; request: number }
  | { do: "dismiss"; what: "link" | "dispute"; request: number }
  | { do: "reportOddly"; request: number; more: number }
  | { do: "extend"; request: number; ms: number; key: Key }
  | { do: "allowCards"; request: number; key: Key }
  | { do: "decide"; how: "reopen" | "writeOff" | "acceptLate"; request: number; key: Key }
  | { do: "change"; request: number; to: Change; key: Key }
  | { do: "finalize" | "duplicate"; request: number; key: Key }
  | { do: "capture"; request: number; amount: Amount; key: Key; fault: Fault }
  | { do: "refund"; request: number; which: number; amount: Amount; key: Key; by: "request" | "payment"; fault: Fault }
  | { do: "refundSurplus"; request: number; which: number; fault: Fault }
  | { do: "record"; request: number | null; account: number; amount: Amount; key: Key; payer: Payer }
  | { do: "markPaid"; request: number; amount: Amount; key: Key; surplus: number }
  | { do: "applyCredit"; request: number; amount: Amount; key: Key }
  | { do: "move"; kind: "credit" | "in" | "out"; account: number; amount: number; key: Key }
  | { do: "transfer"; account: number; to: number; amount: number; key: Key }
  | { do: "repeat"; which: number }
  | { do: "void"; request: number }
  | { do: "close" | "remove"; account: number }
  | { do: "signOut"; account: number; by: "owner" | "admin" }
  | { do: "wait"; ms: number }
  | { do: "moveClock"; advance: string }
  | { do: "simulate"; request: number; event: SimulatedEvent; key: Key }
  | { do: "storm"; duplicates: number; shuffle: boolean }
  | { do: "work"; failing: ProviderCall | null; breaksPromise: boolean }
  | Address
  | { do: "arrive" | "browse" }
  | { do: "report"; which: number[] };

/** A new amount in minor units, a new text, or a new expiry or due date so many milliseconds from now. */
export type Change = { amount: number } | { description: string } | { expiresMs: number } | { dueMs: number };

/** Minor units, or everything that there is. */
export type Amount = number | "all";

/** Who paid what is recorded: one of those whom payment requests are to, somebody with a name only, or nobody knows. */
export type Payer = number | "named" | null;

/** What a payer chooses to pay, and what he or she types for an own amount. */
interface Pick {
  choice: "next" | "overdue" | "all" | "own";
  typed: number;
}

/** Steps that happen at once. */
export type Batch = readonly [Step, ...Step[]];

export interface Life {
  requests: readonly Terms[];
  batches: readonly Batch[];
}

const account = fc.nat(2);
const amount = fc.integer({ min: 1, max: 1250 });
const payer: fc.Arbitrary<Payer> = fc.constantFrom<Payer>(0, 1, 0, 1, 2, "named", null);
const part: fc.Arbitrary<Amount> = fc.oneof({ weight: 2, arbitrary: fc.constant<Amount>("all") }, amount);
const fault: fc.Arbitrary<Fault> = fc.option(
  fc.record({
    cut: fc.constantFrom<Cut>("reset", "silence", "death"),
    moment: fc.constantFrom<Moment>("before", "after", "late"),
  }),
  { freq: 2 },
);

/** All kinds of cards; those that succeed or ask for a confirmation occur more often. */
const number = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("4242424242424242", "4000000000007726", "4000000000005126") },
  { weight: 3, arbitrary: fc.constantFrom("4000002500003155", "4000008260003178") },
  { weight: 1, arbitrary: fc.constantFrom(...testCards.keys()) },
);
const times = fc.constantFrom(1, 1, 2, 3);
const tab = fc.constantFrom<"new" | "old">("new", "new", "old");

const choice = fc.constantFrom<Pick["choice"]>("next", "next", "overdue", "all", "own", "own");
const picked = { choice, typed: amount };
const pay: fc.Arbitrary<Step> = fc.record({ do: does("pay"), request, number, times, tab, fault, ...picked });
/** The provider declines, charges but loses the answer, or never receives the charge. */
const troubled: fc.Arbitrary<Step> = fc.record({
  ...{ do: does("pay"), request, number: fc.constant(troubledCard), times, tab, fault: fc.constant(null), ...picked },
  code: fc.constantFrom("123", lostAnswerCode, noAnswerCode),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: pay },
  { weight: 4, arbitrary: troubled },
  { weight: 6, arbitrary: fc.record({ do: does("use"), link: fc.nat(3), number, times, fault, ...use }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: does("use"), link: fc.nat(3), times, number: fc.constant(troubledCard), ...use },
      fault: fc.constant(null),
      code: fc.constantFrom("123", lostAnswerCode, noAnswerCode),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: does("cancelLink"), link: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: does("pauseLink"), link: fc.nat(3), paused: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: does("extendLink"), link: fc.nat(3) },
      ms: fc.constantFrom(-1000, 10 * minuteMs, 9 * dayMs, 30 * dayMs, 60 * dayMs, 367 * dayMs),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: does("answer"), request, answer: fc.constantFrom("complete", "fail"), fault }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("leave", "cancel"), request, fault }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("see", "askForLink"), request }) },
  { weight: 1, arbitrary: fc.record({ do: does("reportOddly"), request, more: fc.constantFrom(1, 2) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ do: does("decide"), request, key },
      how: fc.constantFrom("reopen", "reopen", "writeOff", "acceptLate"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: does("allowCards"), request, key }) },
  { weight: 2, arbitrary: fc.record({ do: does("dismiss"), what: fc.constantFrom("link", "dispute"), request }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ do: does("extend"), request, key },
      ms: fc.constantFrom(-1000, 6_000, 10 * minuteMs, 9 * dayMs, 30 * dayMs, 367 * dayMs),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ do: does("change"), request, key },
      to: fc.oneof(
        fc.record({ amount }),
        fc.record({ description: fc.constantFrom("Chairs", "Tables") }),
        fc.record({ expiresMs: fc.constantFrom(-1000, 6_000, 10 * minuteMs, 9 * dayMs, 367 * dayMs) }),
        fc.record({ dueMs: fc.constantFrom(-dayMs, 6_000, 10 * minuteMs, 2 * dayMs, 9 * dayMs) }),
      ),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: does("finalize"), request, key }) },
  { weight: 1, arbitrary: fc.record({ do: does("duplicate"), request, key }) },
  { weight: 6, arbitrary: fc.record({ do: does("capture"), request, amount: part, key, fault }) },
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ do: does("refund"), request, which: fc.nat(5), amount: part, key, fault },
      by: fc.constantFrom("request", "payment"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: does("refundSurplus"), request, which: fc.nat(5), fault }) },
  { weight: 3, arbitrary: fc.record({ do: does("record"), request, account, amount: part, key, payer }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ do: does("markPaid"), request, key },
      amount: part,
      surplus: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900 })),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: does("applyCredit"), request, amount: part, key }) },
  { weight: 2, arbitrary: fc.record({ do: does("record"), request: fc.constant(null), account, amount, key, payer }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: does("move"), kind: fc.constantFrom("credit", "in", "out"), account, amount, key }),
  },
  { weight: 2, arbitrary: fc.record({ do: does("transfer"), account, to: account, amount, key }) },
  { weight: 3, arbitrary: fc.record({ do: does("repeat"), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: does("void"), request }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("close", "remove"), account }) },
  { weight: 3, arbitrary: fc.record({ do: does("signOut"), account, by: fc.constantFrom("owner", "admin") }) },
  {
    weight: 1,
    arbitrary: terms.chain((given) => account.map((of) => ({ do: "ask" as const, account: of, ...given }))),
  },
  { weight: 5, arbitrary: steer },
  { weight: 3, arbitrary: addressStep },
  { weight: 6, arbitrary: cardStep(number, fault) },
  { weight: 6, arbitrary: wait },
  { weight: 8, arbitrary: work },
  { weight: 4, arbitrary: fc.record({ do: does("arrive") }) },
  { weight: 2, arbitrary: fc.record({ do: does("browse") }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: does("report"), which: fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }) }),
  },
);

const atOnce = fc.array(step, { minLength: 2, maxLength: 4, size: "max" }) as unknown as fc.Arbitrary<Batch>;
const batch: fc.Arbitrary<Batch> = fc.oneof(
  { weight: 6, arbitrary: step.map((one): Batch => [one]) },
  { weight: 2, arbitrary: fc.oneof({ weight: 4, arbitrary: sandboxStep }, erasure).map((one): Batch => [one]) },
  { weight: 2, arbitrary: atOnce },
);

/** A life: some money that came before, at times a rare sequence, a card payment, and random steps. */
export const lives: fc.Arbitrary<Life> = fc
  .tuple(
    fc.array(terms, { minLength: 1, maxLength: 3, size: "max" }),
    fc.constantFrom(...before),
    fc.option(fc.constantFrom(...turns), { nil: [] }),
    fc.oneof({ weight: 3, arbitrary: pay }, troubled),
    fc.array(batch, { minLength: 3, maxLength: 12, size: "max" }),
  )
  .map(([requests, earlier, turn, first, rest]) => ({
    requests,
    batches: [...[...earlier, ...turn, first].map((one): Batch => [one]), ...rest],
  }));
