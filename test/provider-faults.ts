// Faults of the sandbox in tests: a call breaks, hangs, arrives late, or our process dies, before or after its effect.

import { setTimeout as sleep } from "node:timers/promises";
import type * as inTime from "@/server/domains/providers/in-time";
import { type ChargeRequest, neverMade } from "@/server/domains/providers/provider";
import type * as sandbox from "@/server/domains/providers/sandbox";
import type { Sandbox } from "@/server/domains/providers/sandbox";
import { lostAnswer, noAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";

export type ProviderCall =
  | "start"
  | "chargeStored"
  | "forget"
  | "giveUp"
  | "capture"
  | "cancel"
  | "refund"
  | "lookup"
  | "answerChallenge";

/** The connection breaks, the answer never comes, or our process dies while it waits. */
export type Cut = "reset" | "silence" | "death";

/**
 * Before or after the effect at the provider, or only when {@link arriveLate} delivers the request. `unkept`: the
 * provider accepts a `giveUp` but forgets it, or a `cancel` but has not ended the charge yet.
 */
export type Moment = "before" | "after" | "late" | "unkept";

interface Fault {
  call: ProviderCall;
  cut: Cut;
  moment: Moment;
  reached(): void;
}

let planned: Fault | null = null;
const inFlight: (() => Promise<unknown>)[] = [];
/** How calls without an answer end. */
const unanswered = new WeakMap<Promise<unknown>, Cut>();

/** Makes the next call of this name fail. Resolves once the call has gone as far as the fault lets it. */
export function planFault(call: ProviderCall, cut: Cut, moment: Moment): Promise<void> {
  return new Promise((reached) => {
    planned = { call, cut, moment, reached };
  });
}

/** Cancels a fault that has not happened yet. Returns whether there was one. */
export function forgetFault(): boolean {
  const was = planned !== null;
  planned = null;
  return was;
}

/** Delivers the requests whose callers have stopped waiting. */
export async function arriveLate(): Promise<void> {
  for (const call of inFlight.splice(0)) await effectOf(call);
}

/** Forgets the requests of a world that has ended: its database is closed, so they can no longer arrive. */
export function loseInFlight(): void {
  inFlight.length = 0;
}

/** The effect of the call at the provider. A lost answer does not matter to a caller that gets none. */
async function effectOf(call: () => Promise<unknown>): Promise<void> {
  await call().catch((error: unknown) => {
    if (!String(error).includes(lostAnswer)) throw error;
  });
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** A provider that cannot use up a key: it reports the charge as declined but remembers nothing. */
const forgotten: Sandbox["giveUp"] = async () => neverMade;

/**
 * A provider that ends a charge only later. The wrong `from` makes the sandbox leave the charge alone and return its
 * state.
 */
const accepted =
  ({ cancel }: Sandbox): Sandbox["cancel"] =>
  (reference, from, signal) =>
    cancel(reference, from === "authorized" ? "requires_action" : "authorized", signal);

async function broken<T>({ cut, moment, reached }: Fault, call: () => Promise<T>): Promise<T> {
  if (moment === "after") await effectOf(call);
  if (moment === "late") inFlight.push(call);
  reached();
  if (cut === "reset") throw new Error("The connection was reset.");
  return never();
}

function withFault<Given extends unknown[], T>(
  name: ProviderCall,
  call: (...given: Given) => Promise<T>,
  unkept: (...given: Given) => Promise<T> = call,
) {
  return (...given: Given): Promise<T> => {
    if (planned?.call !== name) return call(...given);
    const fault = planned;
    planned = null;
    if (fault.moment === "unkept") {
      fault.reached();
      return unkept(...given);
    }
    // A request on its way is not affected when its caller stops waiting.
    const sent = given.filter((one) => !(one instanceof AbortSignal)) as Given;
    const answer = broken(fault, () => call(...sent));
    if (fault.cut !== "reset") unanswered.set(answer, fault.cut);
    return answer;
  };
}

/** Whether the card makes the provider never answer. */
const isNeverAnswered = ({ details }: ChargeRequest): boolean =>
  details.card_number === troubledCard && details.security_code === noAnswerCode;

/** The sandbox's module with faults in its calls, for `vi.mock`. */
export const withFaults = (original: typeof sandbox): typeof sandbox => ({
  ...original,
  sandboxProvider: (...given) => {
    const provider = original.sandboxProvider(...given);
    return {
      ...provider,
      start: (request, signal) => {
        // This card is a fault itself, so no other fault can happen to it.
        if (!isNeverAnswered(request)) return withFault("start", provider.start)(request, signal);
        const answer = provider.start(request, signal);
        unanswered.set(answer, "silence");
        return answer;
      },
      chargeStored: withFault("chargeStored", provider.chargeStored),
      forget: withFault("forget", provider.forget),
      giveUp: withFault("giveUp", provider.giveUp, forgotten),
      capture: withFault("capture", provider.capture),
      cancel: withFault("cancel", provider.cancel, accepted(provider)),
      refund: withFault("refund", provider.refund),
      lookup: withFault("lookup", provider.lookup),
      answerChallenge: withFault("answerChallenge", provider.answerChallenge),
    };
  },
});

let timeout = (): Promise<unknown> => sleep(10);

/** Makes silent calls time out when `wait` resolves, instead of after 10 ms. */
export function timeOutAfter(wait: () => Promise<unknown>): void {
  timeout = wait;
}

/** The module in-time.ts with a short timeout for silent calls and no timeout for a dead process, for `vi.mock`. */
export const withShortTimeouts = (original: typeof inTime): typeof inTime => ({
  ...original,
  inTime: async (call) => {
    const ending = new AbortController();
    const answer = call(ending.signal);
    const cut = unanswered.get(answer);
    if (cut === "death") return never();
    if (cut !== "silence") {
      return original.inTime((signal) => {
        signal.addEventListener("abort", () => ending.abort(signal.reason));
        return answer;
      });
    }
    answer.catch(() => undefined);
    await timeout();
    const error = new Error("The payment provider did not answer in time.");
    ending.abort(error);
    throw error;
  },
});
