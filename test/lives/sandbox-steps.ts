// Draws the steps of the sandbox, of time and of subscriptions, and what they share with all other steps.
import * as fc from "fast-check";
import { simulatedEvents } from "@/server/domains/providers/sandbox-events";
import { lostAnswerCode, noAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { dayMs, minuteMs } from "@/server/kit/limits";
import type { ProviderCall } from "../provider-faults";
import type { Fault, Key, Step } from "./steps";

export const request = fc.nat(15);
export const key: fc.Arbitrary<Key> = fc.constantFrom("none", "own", "same");
export const does = <Name extends Step["do"]>(name: Name) => fc.constant(name);

/** Time passes. */
export const wait: fc.Arbitrary<Step> = fc.record({
  do: does("wait"),
  ms: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(1000, 6_000, 31_000) },
    { weight: 2, arbitrary: fc.constantFrom(10 * minuteMs, 16 * minuteMs) },
    { weight: 1, arbitrary: fc.constantFrom(3 * dayMs, 8 * dayMs) },
  ),
});

/** A call to the provider that a worker makes. */
const workCall = fc.constantFrom<ProviderCall>("lookup", "capture", "cancel", "refund", "chargeStored", "forget");

/** The worker runs. */
export const work = fc.record({
  do: does("work"),
  failing: fc.option(workCall, { freq: 4 }),
  breaksPromise: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
});

/** Steps of the sandbox, which wait for what they bring about. So each is taken alone. */
export const sandboxStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: does("moveClock"),
      advance: fc.constantFrom("PT10S", "PT1H", "PT20M", "P1D", "P3D", "P8D", "P1M", "P7M"),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: does("simulate"), request, event: fc.constantFrom(...simulatedEvents), key }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: does("storm"), duplicates: fc.integer({ min: 1, max: 3 }), shuffle: fc.boolean() }),
  },
);

/** What is done with the customer of a payment request. */
export interface Address {
  do: "address";
  act: "merge" | "erase" | "send" | "remind";
  request: number;
  /** Which other customer stays after a merge. */
  into: number;
  key: Key;
}

const addressed = { do: does("address"), request, into: fc.nat(5), key };
export const addressStep: fc.Arbitrary<Step> = fc.record({
  ...addressed,
  act: fc.constantFrom("merge", "send", "remind"),
});

/** Taken alone, because it changes the answers that other steps remember. */
export const erasure: fc.Arbitrary<Step> = fc.record({ ...addressed, act: fc.constant("erase") });

/** A command on a subscription. */
export interface Steer {
  do: "steer";
  subscription: number;
  command: "pause" | "resume" | "keep" | "cancelNow" | "cancelLater" | "amount";
  /** After how many days a pause ends by itself. */
  days: number | null;
  key: Key;
}

export const steer: fc.Arbitrary<Steer> = fc.record({
  ...{ do: does("steer"), subscription: fc.nat(5), days: fc.constantFrom(null, 3, 20), key },
  command: fc.constantFrom("pause", "resume", "resume", "keep", "cancelNow", "cancelLater", "amount"),
});

/** The merchant makes a card link of a subscription; its customer enters a card, and confirms it or leaves. */
export type CardStep =
  | { do: "linkCard"; subscription: number }
  | { do: "enterCard"; link: number; number: string; code?: string; times: number; tab: "new" | "old"; fault: Fault }
  | { do: "answerCard"; link: number; answer: "complete" | "fail"; fault: Fault }
  | { do: "leaveCard"; link: number; fault: Fault };

/** What becomes of another card, by the cards and the faults that lives have. */
export function cardStep(numbers: fc.Arbitrary<string>, fault: fc.Arbitrary<Fault>): fc.Arbitrary<CardStep> {
  const link = fc.nat(3);
  const entry = { link, times: fc.constantFrom(1, 1, 2), tab: fc.constantFrom<"new" | "old">("new", "new", "old") };
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: does("linkCard"), subscription: fc.nat(5) }) },
    { weight: 6, arbitrary: fc.record({ do: does("enterCard"), ...entry, number: numbers, fault }) },
    {
      weight: 2,
      arbitrary: fc.record({
        ...{ do: does("enterCard"), ...entry, number: fc.constant(troubledCard), fault: fc.constant(null) },
        code: fc.constantFrom("123", lostAnswerCode, noAnswerCode),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: does("answerCard"), link, answer: fc.constantFrom("complete", "fail"), fault }),
    },
    { weight: 1, arbitrary: fc.record({ do: does("leaveCard"), link, fault }) },
  );
}
