// Steps and sequences of steps that lives and the matrix are made of.
import { dayMs, minuteMs } from "@/server/kit/limits";
import type { Step } from "./steps";

/** The number that always means the first payment request: see Scene.request. */
export const first = 3;

export const good = {
  ...{ do: "pay", request: first, number: "4242424242424242", times: 1, tab: "new", fault: null },
  ...{ choice: "all", typed: 1 },
} as const satisfies Step;
export const work = { do: "work", failing: null, breaksPromise: false } as const satisfies Step;
export const extension = { do: "extend", request: first, ms: 20 * dayMs, key: "own" } as const satisfies Step;
export const finalization = { do: "finalize", request: first, key: "same" } as const satisfies Step;
export const offline = { do: "record", request: first, account: 0, key: "none", payer: null } as const;
export const refund = { do: "refund", request: first, which: 0, key: "none", by: "request", fault: null } as const;

export const surplus = { do: "markPaid", request: first, amount: "all", key: "none", surplus: 700 } as const;
export const next = {
  ...{ do: "ask", account: 0, type: "product", capture: "automatic", amount: 1250, parts: "none" },
  ...{ livesMs: null, draft: false },
} as const satisfies Step;
export const use = {
  ...{ do: "use", link: 0, number: "4242424242424242", times: 1, fault: null },
  ...{ payer: "new", seats: 2, typed: 900, sees: "total" },
} as const satisfies Step;
export const card = {
  ...{ do: "enterCard", link: 0, number: "5555555555554444", times: 1, tab: "new", fault: null },
} as const satisfies Step;
/** Prefers the customer of a subscription. */
export const erased = { do: "address", act: "erase", request: 0, into: 1, key: "none" } as const satisfies Step;
/** Prefers a payment request whose customer has credit. */
export const applied = { do: "applyCredit", request: 0, amount: "all", key: "same" } as const;

/** Rare sequences that single random steps would hardly ever produce. */
export const turns: Step[][] = [
  // A charge is given up, another card pays, and the first charge arrives late.
  [{ ...good, fault: { cut: "silence", moment: "late" } }, { do: "wait", ms: 31_000 }, work, good, { do: "arrive" }],
  // A use of a link is given up, others take its last places, and its charge is made after all.
  [
    { ...next, uses: "twice" },
    { ...use, fault: { cut: "silence", moment: "late" } },
    { do: "wait", ms: 31_000 },
    { ...work, breaksPromise: true },
    use,
    use,
    { do: "arrive" },
    work,
  ],
  // A payer who comes back is not charged twice, a neighbor is another payer, and their connection has its share of places.
  [
    { ...next, uses: "five", offer: "seats" },
    { ...use, payer: "same", number: "4000002500003155" },
    { ...use, payer: "same" },
    { ...use, payer: "spelled" },
    { ...use, payer: "neighbor", number: "4000002500003155" },
    { ...use, payer: "neighbor" },
    { ...use, payer: "elsewhere" },
  ],
  // A link is paused while one use waits for a confirmation and another one was declined, and is resumed.
  [
    { ...next, uses: "five" },
    { ...use, payer: "same", number: "4000002500003155" },
    { ...use, number: "4000000000000002" },
    { do: "pauseLink", link: 0, paused: true },
    ...[use, { ...good, request: 0 }, { ...good, request: 4 }],
    { do: "answer", request: 0, answer: "complete", fault: null },
    { do: "pauseLink", link: 0, paused: false },
    ...[use, { ...good, request: 0 }, { ...good, request: 4 }],
  ],
  // Cards are tried out on a link until strangers are slowed down. A payer who has paid there before is not.
  [
    { ...next, uses: "any" },
    { ...use, payer: "same" },
    ...Array.from({ length: 7 }, (): Step => ({ ...use, payer: "elsewhere", number: "4000000000000002" })),
    { ...use, payer: "elsewhere" },
    ...[use, { ...use, payer: "neighbor" } as const, { ...good, request: 0 }],
    { do: "wait", ms: 2 * minuteMs },
    ...Array.from({ length: 2 }, (): Step => ({ ...use, number: "4000000000000002" })),
    { ...use, payer: "neighbor" },
  ],
  // A declined use goes on after its link expired and was extended.
  [
    { ...next, uses: "twice", livesMs: 10 * minuteMs },
    { ...use, number: "4000000000000002" },
    { do: "wait", ms: 10 * minuteMs },
    work,
    { do: "extendLink", link: 0, ms: 9 * dayMs },
    { ...good, request: 0 },
  ],
  // An authorization is voided early, another one follows, and the first one's time passes.
  [good, { do: "void", request: first }, work, { do: "wait", ms: 3 * dayMs }, good, { do: "wait", ms: 5 * dayMs }],
  // An authorization lapses, an extension reopens its payment request, and another authorization lapses, too.
  [good, { do: "wait", ms: 8 * dayMs }, extension, { ...offline, amount: 100 }, good, { do: "wait", ms: 8 * dayMs }],
  // An extension reopens an expired payment request, whose payer has another tab open; it expires again.
  [
    { do: "wait", ms: 3 * dayMs },
    work,
    extension,
    { ...good, number: "4000002500003155", tab: "old" },
    { do: "wait", ms: 20 * dayMs },
    work,
  ],
  // A draft is changed and finalized, its payer pays a part, and then the description changes.
  [
    { do: "duplicate", request: first, key: "own" },
    { do: "change", request: 0, to: { amount: 900 }, key: "own" },
    { ...finalization, request: 0 },
    { ...offline, request: 0, amount: 300 },
    { do: "change", request: 0, to: { description: "The rest" }, key: "none" },
    { ...good, request: 0 },
  ],
  // A surplus becomes credit, which pays a part of another payment request, and refunds of both payments move it.
  [
    ...[surplus, next, next, next, { ...applied, amount: 300 }, { ...refund, amount: 500 }, applied],
    { ...refund, request: 0, amount: 100 },
    { ...good, request: 0 },
    { ...refund, request: 4, amount: "all" },
    { ...refund, amount: "all" },
  ],
  // Credit pays the first installment and a part of the second one, the payer the rest of it by a form of today.
  [
    ...([surplus, { ...next, parts: "plan" }, next, next, { ...applied, request: 4, amount: 500 }] as const),
    { ...good, request: 4, choice: "next", tab: "old" },
    { ...good, request: 4, choice: "next" },
    { ...refund, request: 4, amount: 200 },
    { ...applied, request: 4 },
  ],
  // A trial stores one card, its customer another one, which is charged, changed again, and refused.
  [
    { ...next, type: "subscription", trialDays: 14 },
    { ...good, request: 0, number: "4000000000003220" },
    { do: "answer", request: 0, answer: "complete", fault: null },
    { do: "linkCard", subscription: 0 },
    { ...card, fault: { cut: "silence", moment: "late" } },
    { do: "wait", ms: 31_000 },
    work,
    { ...card, tab: "old" },
    { do: "arrive" },
    { do: "moveClock", advance: "P16D" },
    { do: "linkCard", subscription: 0 },
    { ...card, number: "4000000000000341" },
    { do: "moveClock", advance: "P8D" },
  ],
  // The customer of a subscription cannot be erased while it lives, and its renewal and card are gone with the customer.
  [
    { ...next, type: "subscription" },
    ...[good, { ...good, request: 0 }, { ...good, request: 0 }, { ...good, request: 0 }],
    { do: "linkCard", subscription: 0 },
    erased,
    { do: "moveClock", advance: "P8D" },
    { do: "steer", subscription: 0, command: "cancelNow", days: null, key: "none" },
    erased,
    { ...card, tab: "old" },
    { do: "moveClock", advance: "P8D" },
    { ...refund, request: 0, amount: 100 },
    erased,
  ],
  // What waits for attention is dismissed once, and comes back with something new.
  [
    good,
    ...([1, 1, 2] as const).flatMap((more): Step[] => [
      { do: "reportOddly", request: first, more },
      { do: "dismiss", what: "dispute", request: first },
    ]),
    { ...next, livesMs: 20_000 },
    { do: "wait", ms: 31_000 },
    { do: "askForLink", request: 15 },
    { do: "dismiss", what: "link", request: 0 },
    { do: "wait", ms: 3 * dayMs },
    { do: "askForLink", request: 15 },
  ],
  // A part is refunded after the payment request expired, and the payer tries again.
  [
    { ...offline, amount: 300 },
    { do: "wait", ms: 10 * minuteMs },
    { ...refund, amount: 100 },
    { ...good, tab: "old" },
  ],
];

/** Money received before by other means, and its refunds. */
export const before: Step[][] = [
  [],
  [
    { ...offline, amount: 400 },
    { ...refund, amount: 100 },
  ],
  [
    { ...offline, amount: 400 },
    { ...refund, amount: "all" },
  ],
];
