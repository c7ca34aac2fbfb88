// The matrix: every sensible combination of what can happen to a payment request, as a life made from it.

import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { dayMs, minuteMs } from "@/server/kit/limits";
import type { Batch, Life, Step } from "./steps";
import { applied, extension, finalization, first, good, next, offline, refund, surplus, use, work } from "./turns";

const dimensions = {
  kind: ["product", "subscription", "invoice"],
  /** It is paid itself, or it is the use that the first payer of a reusable link makes. */
  uses: ["once", "link"],
  /** It is final at once; or a draft that is changed and finalized. */
  start: ["final", "draft"],
  /** Taken at once; or held, and captured in full, in part, or only after the hold has lapsed. */
  capture: ["automatic", "full", "part", "lapsed"],
  /** Paid at once; or a part of the payer's own choice, or the first of three installments, and then the rest. */
  parts: ["none", "any", "plan"],
  /** The confirmation (3-D Secure). */
  confirmation: ["none", "completed", "failed", "abandoned"],
  /** A partial refund: of money received before, or of the card payment. */
  refund: ["none", "before", "after"],
  /** A part is paid out of credit that another payment request of the customer left. */
  credit: ["none", "part"],
  /** Another card is tried in a second tab. */
  tab: ["one", "second"],
  /** The provider's answer: at once, lost, or the request itself arrives after it was given up. */
  answer: ["prompt", "lost", "late"],
  /** The payment request expires: never, during the attempt, after it, or during it and is then extended. */
  expiry: ["never", "during", "after", "extended"],
  /** The account closes: never, during the attempt, or after it. */
  closing: ["never", "during", "after"],
} as const;

type Dimensions = typeof dimensions;
type Combination = { [Name in keyof Dimensions]: Dimensions[Name][number] };

const names = Object.keys(dimensions) as (keyof Dimensions)[];

/** Why a combination makes no sense, or null if it does. The first reason counts. */
export function nonsenseOf(one: Combination): string | null {
  const isConfirmed = one.confirmation === "none" || one.confirmation === "completed";
  const isFirstPaid = isConfirmed && one.answer !== "late" && one.capture !== "lapsed";
  const isSecondPaid = one.tab === "second" && !isConfirmed && one.expiry !== "during" && one.closing !== "during";
  const isPaid = isFirstPaid || isSecondPaid || one.answer === "late";
  if (one.uses === "link" && one.kind === "invoice") return "each invoice is for one customer";
  if (one.uses === "link" && one.start === "draft") return "a draft cannot be used";
  if (one.uses === "link" && one.parts !== "none") return "a use is paid at once";
  if (one.uses === "link" && one.refund === "before") return "there is no use before the first payment";
  if (one.uses === "link" && one.credit === "part") return "credit is out of reach of who pays through a link";
  if (one.refund === "before" && one.credit === "part") return "a part is received before in one way";
  if (one.parts !== "none" && one.kind === "subscription") return "a subscription is paid at once";
  if (one.parts !== "none" && one.capture !== "automatic") return "a hold is for the whole amount";
  if (one.answer === "late" && one.confirmation !== "none") return "a charge that was given up asks for nothing";
  if (!isConfirmed && (one.capture === "part" || one.capture === "lapsed")) return "nothing is held";
  if (!isConfirmed && one.capture === "full" && one.tab === "one") return "no card has paid";
  if (one.refund === "after" && !isPaid) return "there is nothing to refund";
  if (one.expiry !== "never" && one.closing !== "never") return "it ends only once";
  if (one.expiry === "after" && one.refund === "before" && isPaid) return "a paid request does not expire";
  return null;
}

/** All combinations, sensible or not. */
function combine(): Combination[] {
  let made: Record<string, string>[] = [{}];
  for (const name of names) made = made.flatMap((one) => dimensions[name].map((value) => ({ ...one, [name]: value })));
  return made as Combination[];
}

export const everything: readonly Combination[] = combine();
export const sensible: readonly Combination[] = everything.filter((one) => nonsenseOf(one) === null);

/** A combination's pairs of values. */
const pairsOf = (one: Combination): string[] =>
  names.flatMap((a, i) => names.slice(i + 1).map((b) => `${a}=${one[a]} ${b}=${one[b]}`));

/** Few combinations, chosen greedily, that together contain every pair of values of any sensible one. */
export function coveringPairs(): Combination[] {
  const choices = sensible.map((one) => ({ one, pairs: pairsOf(one) }));
  const left = new Set(choices.flatMap(({ pairs }) => pairs));
  const chosen: Combination[] = [];
  while (left.size > 0) {
    const gains = choices.map(({ pairs }) => pairs.filter((pair) => left.has(pair)).length);
    const best = choices[gains.indexOf(Math.max(...gains))];
    if (!best) break;
    for (const pair of best.pairs) left.delete(pair);
    chosen.push(best.one);
  }
  return chosen;
}

export const titleOf = (one: Combination): string => names.map((name) => `${name} ${one[name]}`).join(", ");

/** The number that always means the payment request that leaves credit. */
const another = first + 4;

const challenged = "4000002500003155";

/** How the first card pays, with its provider's answer. */
function firstAttempt({ confirmation, answer, parts, uses }: Combination): Step {
  const number = confirmation === "none" ? good.number : challenged;
  const choice = ({ none: "all", any: "own", plan: "next" } as const)[parts];
  const paid = uses === "link" ? { ...use, number } : { ...good, choice, typed: 500 };
  if (answer === "prompt") return { ...paid, number };
  if (answer === "late") return { ...paid, number, fault: { cut: "silence", moment: "late" } };
  if (confirmation === "none") return { ...paid, number: troubledCard, code: lostAnswerCode };
  return { ...paid, number, fault: { cut: "reset", moment: "after" } };
}

const isAnswered = { completed: "complete", failed: "fail" } as const;

function confirmation({ confirmation: given }: Combination): Step[] {
  if (given === "none") return [];
  if (given === "abandoned") return [{ do: "wait", ms: 16 * minuteMs }, work];
  return [{ do: "answer", request: first, answer: isAnswered[given], fault: null }];
}

function capture({ capture: given }: Combination): Step[] {
  if (given === "automatic") return [];
  const wait: Step[] = given === "lapsed" ? [{ do: "wait", ms: 8 * dayMs }, work] : [];
  return [...wait, { do: "capture", request: first, amount: given === "part" ? 501 : "all", key: "same", fault: null }];
}

/** The life that a combination describes. */
export function lifeFrom(one: Combination): Life {
  const livesMs = one.expiry === "never" ? null : 10 * minuteMs;
  const expire: Step[] = [{ do: "wait", ms: 10 * minuteMs }, work];
  const end = (when: "during" | "after"): Step[] => [
    ...(one.closing === when ? [{ do: "close", account: 0 } as const] : []),
    ...(one.expiry === when ? expire : []),
  ];
  const extend: Step[] = one.expiry === "extended" ? [...expire, extension] : [];
  const second: Step[] =
    one.tab === "second" ? [{ ...good, number: "5555555555554444", tab: one.uses === "link" ? "new" : "old" }] : [];
  const before: Step[] =
    one.refund === "before"
      ? [
          { ...offline, amount: 400 },
          { ...refund, amount: 100 },
        ]
      : [];
  const credit: Step[] =
    one.credit === "part" ? [next, { ...surplus, request: another }, { ...applied, request: first, amount: 400 }] : [];
  const isLate = one.answer === "late";
  const found: Step[] = one.answer === "prompt" ? [] : [{ do: "wait", ms: isLate ? 31_000 : 6_000 }, work];
  const change = { do: "change", request: first, to: { amount: 1250 }, key: "own" } as const;
  const start: Step[] = one.start === "draft" ? [change, finalization] : [];
  const steps: Step[] = [
    ...start,
    ...before,
    ...credit,
    firstAttempt(one),
    ...(isLate ? [] : second),
    ...found,
    ...end("during"),
    ...extend,
    ...confirmation(one),
    ...(isLate ? [...second, { do: "arrive" } as const, work] : []),
    ...(one.confirmation === "failed" || one.confirmation === "abandoned" ? second : []),
    ...capture(one),
    ...(one.refund === "after" ? [{ ...refund, amount: 300 }] : []),
    ...end("after"),
    ...(one.parts === "none" ? [] : [good]),
    ...(one.refund === "none" ? [] : [{ ...refund, amount: 1 } as const]),
  ];
  const terms = {
    type: one.kind,
    capture: one.capture === "automatic" ? "automatic" : "manual",
    amount: one.start === "draft" ? 700 : 1250,
    parts: one.parts,
    draft: one.start === "draft",
    uses: one.uses === "link" ? "twice" : "once",
    dueMs: 5 * minuteMs,
  } as const;
  return { requests: [{ ...terms, livesMs }], batches: steps.map((step): Batch => [step]) };
}

/** Lists are checked for one in this many combinations, because a check takes as long as many steps. */
const combinationsPerLists = 16;

/** The choices that a combination leaves open: which reports are repeated, and which lists are checked. */
export function choicesOf(number: number): () => number {
  // An end checks lists if its choice leaves 1 when divided by 4.
  let choice = 4 * number + (number % combinationsPerLists === 0 ? 1 : 0);
  return () => {
    choice += 4;
    return choice;
  };
}
