// The matrix of states and operations: a payment request in each state, and each operation on it or its customer.
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { dayMs, limits } from "@/server/kit/limits";
import type { Steer } from "./sandbox-steps";
import type { Batch, Life, Step } from "./steps";
import type { Terms } from "./terms";
import { applied, card, erased, finalization, good, next, offline, refund, surplus, use, work } from "./turns";

/** What brings a payment request into a state: what it is like, and the steps, by its number. */
interface State {
  terms?: Partial<Terms>;
  /** Taken at once with those of the other payment requests of the life, in turn. */
  steps?: (request: number) => Step[];
  /** Taken afterwards, each alone. */
  alone?: (request: number) => Step[];
  /** Taken in the end, for all of them. */
  end?: Step;
}

const paid = (request: number): Step => ({ ...good, request });
const declined = (request: number): Step => ({ ...good, request, number: "4000000000000002" });
const challenged = (request: number): Step => ({ ...good, request, number: "4000002500003155" });
const simulate = (request: number, event: Extract<Step, { do: "simulate" }>["event"]): Step => ({
  ...{ do: "simulate", request, event, key: "none" },
});
const storm: Step = { do: "storm", duplicates: 2, shuffle: true };
const aWeekOn = { do: "moveClock", advance: "P8D" } as const satisfies Step;
const steered = (request: number, command: Steer["command"], days: number | null = null): Step => ({
  ...{ do: "steer", subscription: placeOf(request), command, days, key: "none" },
});
const dueIn = (request: number, days: number): Step => ({
  ...{ do: "change", request, to: { dueMs: days * dayMs }, key: "none" },
});
const invoice = { type: "invoice", livesMs: null, dueMs: 4 * dayMs } as const;
const subscription = { type: "subscription", livesMs: null } as const;

const states = {
  draft: { terms: { draft: true } },
  pending: {},
  "waiting for a confirmation": { steps: (request) => [challenged(request)] },
  "with a charge in doubt": { steps: (request) => [{ ...good, request, number: troubledCard, code: lostAnswerCode }] },
  "with an authorization in doubt": {
    terms: { capture: "manual" },
    steps: (request) => [{ ...good, request, number: troubledCard, code: lostAnswerCode }],
  },
  authorized: { terms: { capture: "manual" }, steps: (request) => [paid(request)] },
  "partially paid": { terms: { parts: "plan" }, steps: (request) => [{ ...good, request, choice: "next" }] },
  paid: { steps: (request) => [paid(request)] },
  "paid in cash": { steps: (request) => [{ ...offline, request, amount: "all" }] },
  "partially refunded": { steps: (request) => [paid(request), { ...refund, request, amount: 300 }] },
  refunded: { steps: (request) => [paid(request), { ...refund, request, amount: "all" }] },
  "paid with surplus as credit": { steps: (request) => [{ ...surplus, request }] },
  disputed: { steps: (request) => [paid(request)], alone: (request) => [simulate(request, "dispute")] },
  "disputed after a partial refund": {
    steps: (request) => [paid(request), { ...refund, request, amount: 300 }],
    alone: (request) => [simulate(request, "dispute")],
  },
  "with a dispute won": {
    steps: (request) => [paid(request)],
    alone: (request) => [simulate(request, "dispute"), simulate(request, "dispute_won")],
  },
  "with a dispute lost after a partial refund": {
    steps: (request) => [paid(request), { ...refund, request, amount: 300 }],
    alone: (request) => [simulate(request, "dispute"), simulate(request, "dispute_lost")],
  },
  failed: { steps: (request) => Array.from({ length: limits.failures.declined }, () => declined(request)) },
  canceled: { steps: (request) => [{ do: "cancel", request, fault: null }] },
  expired: { terms: { livesMs: 20_000 }, end: { do: "wait", ms: 20_000 } },
  "a draft of an invoice": { terms: { ...invoice, draft: true, lines: "to the EU" } },
  "an overdue invoice": { terms: { ...invoice, lines: "reversed" }, end: aWeekOn },
  "an invoice whose authorization has lapsed": {
    terms: { ...invoice, capture: "manual" },
    steps: (request) => [paid(request)],
    end: aWeekOn,
  },
  "an expired invoice": { terms: { ...invoice, livesMs: 5 * dayMs }, end: aWeekOn },
  "a paid invoice": { terms: invoice, steps: (request) => [paid(request)] },
  "an invoice with a credit note": {
    terms: invoice,
    steps: (request) => [
      { ...offline, request, amount: 500 },
      { ...refund, request, amount: 300 },
    ],
  },
  "an invoice paid with surplus as credit": { terms: invoice, steps: (request) => [{ ...surplus, request }] },
  "a use of a link, waiting for a confirmation": {
    terms: { uses: "any" },
    steps: (request) => [{ ...use, link: placeOf(request), number: "4000002500003155" }],
  },
  "a paid use of a link": { terms: { uses: "twice" }, steps: (request) => [{ ...use, link: placeOf(request) }] },
  "a declined use of a paused link": {
    terms: { uses: "any" },
    steps: (request) => [{ ...use, link: placeOf(request), number: "4000000000000002" }],
    alone: (request) => [{ do: "pauseLink", link: placeOf(request), paused: true }],
  },
  "the trial of a subscription": { terms: { ...subscription, trialDays: 2 }, steps: (request) => [paid(request)] },
  "the first payment of a subscription": { terms: subscription, steps: (request) => [paid(request)] },
  "the first payment of a subscription whose renewal failed": {
    terms: subscription,
    steps: (request) => [{ ...good, request, number: "4000000000000341" }],
    end: aWeekOn,
  },
  "the first payment of a paused subscription": {
    terms: subscription,
    steps: (request) => [paid(request), steered(request, "pause")],
    end: aWeekOn,
  },
  "the first payment of a subscription whose amount changes": {
    terms: subscription,
    steps: (request) => [paid(request), steered(request, "amount")],
  },
  "the first payment of a subscription that ends with its period": {
    terms: subscription,
    steps: (request) => [paid(request), steered(request, "cancelLater")],
  },
  "the first payment of a canceled subscription": {
    terms: subscription,
    steps: (request) => [paid(request), steered(request, "cancelNow")],
  },
} as const satisfies Record<string, State>;

/** The steps of an operation on a payment request, of which some are refused. All others meet what follows from it. */
const operations = {
  // Its customer becomes that of another payment request of the account.
  "mailed, and merged": (request) => [
    { ...erased, act: "send", request, into: 0 },
    { ...erased, act: "remind", request, into: 0 },
    ...[next, { ...next, account: placeOf(request) }],
    { ...erased, act: "merge", request, into: 0 },
    storm,
  ],
  erased: (request) => [{ ...erased, request, into: 0 }, storm, { ...refund, request, amount: 1 }],
  "paid, and refunded": (request) => [
    ...[paid(request), { ...surplus, request }, { ...applied, request: 0, amount: 1 } as const],
    ...[{ ...refund, request, amount: 200 }, simulate(request, "refund_fail")],
  ],
  "finalized, canceled and duplicated": (request) => [
    { ...finalization, request },
    { do: "cancel", request, fault: null },
    { do: "duplicate", request, key: "same" },
    { ...finalization, request: 0 },
  ],
  "disputed, and that won": (request) => [simulate(request, "dispute"), simulate(request, "dispute_won"), storm],
  "disputed, and that lost": (request) => [
    ...[simulate(request, "dispute_lost"), simulate(request, "dispute"), simulate(request, "dispute_lost")],
  ],
  "disputed, and that lost, due again, paid in cash, and written off": (request) => [
    ...[simulate(request, "dispute"), simulate(request, "dispute_lost")],
    { do: "decide", how: "reopen", request, key: "same" },
    { ...offline, request, amount: 100 },
    { do: "decide", how: "writeOff", request, key: "none" },
    ...[{ ...refund, request, amount: 100 }, storm],
  ],
  "disputed, and that lost, and written off": (request) => [
    ...[simulate(request, "dispute"), simulate(request, "dispute_lost")],
    { do: "decide", how: "writeOff", request, key: "same" },
    { do: "decide", how: "reopen", request, key: "none" },
  ],
  "paid late, and accepted": (request) => [
    ...[{ do: "cancel", request, fault: null } as const, simulate(request, "settle")],
    { do: "decide", how: "acceptLate", request, key: "same" },
    { ...refund, request, amount: 100 },
  ],
  "tried by card, allowed to try again, and paid": (request) => [
    ...[paid(request), { do: "allowCards", request, key: "same" } as const],
    ...[declined(request), paid(request), { do: "allowCards", request, key: "none" } as const],
  ],
  "settled and captured": (request) => [simulate(request, "settle"), simulate(request, "capture")],
  "authorized and declined": (request) => [simulate(request, "authorize"), simulate(request, "decline")],
  "given another card, and left alone for a week": (request) => [
    { do: "linkCard", subscription: placeOf(request) },
    { ...card, link: 0 },
    storm,
    aWeekOn,
  ],
} as const satisfies Record<string, (request: number) => Step[]>;

/** The steps of an operation on the due date of an invoice, which only invoices meet. */
const dating = {
  "due sooner, overdue, and due later": (request) => [
    ...[dueIn(request, 2), aWeekOn, dueIn(request, 2), dueIn(request, -1), aWeekOn],
  ],
  "due no later than its end, and extended": (request) => [
    { do: "change", request, to: { expiresMs: 9 * dayMs }, key: "none" },
    ...[dueIn(request, 10), dueIn(request, 8), aWeekOn],
    { do: "extend", request, ms: 9 * dayMs, key: "none" },
    aWeekOn,
  ],
  "paid in part, extended, tried by card, paid in cash, and canceled": (request) => [
    { ...offline, request, amount: 400 },
    { do: "extend", request, ms: 9 * dayMs, key: "none" },
    ...[declined(request), { ...offline, request, amount: 100 }, { do: "cancel", request, fault: null } as const],
  ],
} as const satisfies Record<string, (request: number) => Step[]>;

/** The steps of an operation on a subscription, which only payment requests of subscriptions meet. */
const steering = {
  "kept, and canceled for later, twice": (request) => [
    ...[steered(request, "keep"), steered(request, "cancelLater")],
    ...[steered(request, "keep"), steered(request, "cancelLater")],
  ],
  "given another amount, and renewed": (request) => [
    ...[steered(request, "amount"), aWeekOn, { ...refund, request: 0, amount: 1 }],
  ],
  "paused for some days, paused for good, and resumed": (request) => [
    ...[steered(request, "pause", 3), aWeekOn, steered(request, "pause"), aWeekOn, steered(request, "resume")],
  ],
} as const satisfies Record<string, (request: number) => Step[]>;

const everyOperation = { ...operations, ...dating, ...steering };

/** What payment requests of a type meet beside the operations that all do. */
const more = { product: {}, invoice: dating, subscription: steering } as const;

/** A life has this many payment requests, each in an account of its own. */
const perLife = 3;

/** The number that always means the payment request of this place in its life: see Scene.request. */
const numberOf = (place: number): number => 4 * place + 3;
const placeOf = (request: number): number => Math.floor(request / 4);

type Name = keyof typeof everyOperation;

interface Cells {
  state: keyof typeof states;
  operations: readonly Name[];
}

/** A state with every operation that it can meet, a few at a time, or alone if it lets days pass. */
function cellsOf(state: Cells["state"]): Cells[] {
  const { terms }: State = states[state];
  const names = Object.keys(operations) as Name[];
  const lives = Math.ceil(names.length / perLife);
  const together = Array.from({ length: lives }, (_, i) => names.slice(i * perLife, (i + 1) * perLife));
  const alone = (Object.keys(more[terms?.type ?? "product"]) as Name[]).map((name) => [name]);
  return [...together, ...alone].map((chosen) => ({ state, operations: chosen }));
}

const byState: readonly Cells[][] = (Object.keys(states) as Cells["state"][]).map(cellsOf);

export const cells: readonly Cells[] = byState.flat();

/** One life for each state, with other operations than that of the state before. */
export const someCells: readonly Cells[] = byState.flatMap((own, i) => own[i % own.length] ?? []);

export const nameOf = ({ state, operations: chosen }: Cells): string => `${state}: ${chosen.join("; ")}`;

/** The life that meets these cells. */
export function lifeOfCells({ state, operations: chosen }: Cells): Life {
  const { terms, steps, alone, end }: State = states[state];
  const numbers = chosen.map((_, place) => numberOf(place));
  const brought = numbers.map((number) => steps?.(number) ?? []);
  const atOnce = (brought[0] ?? []).map((_, i) => brought.flatMap((own) => own[i] ?? []) as unknown as Batch);
  const alones = chosen.flatMap((_, place) => alone?.(numberOf(place)) ?? []);
  const meeting = chosen.flatMap((name, place): readonly Step[] => everyOperation[name](numberOf(place)));
  const { do: _do, account: _account, ...plain } = next;
  return {
    requests: chosen.map(() => ({ ...plain, ...terms })),
    batches: [...atOnce, ...[...alones, ...(end ? [end] : []), ...meeting, work].map((one): Batch => [one])],
  };
}
