// Turns the calls of a step into commands that run at once, and judges their answers by the rules.
import { Failure } from "@/server/kit/errors";
import { dayMs } from "@/server/kit/limits";
import { type ProviderCall, planFault } from "../provider-faults";
import type { World } from "../world";
import type { Facts } from "./facts";
import type { Command, Ending } from "./interleaving";
import { type KeyedCall, type Memory, textOf } from "./memory";
import { isLive } from "./questions";
import type { Fault, Key } from "./steps";
import { must, mustEqual } from "./violation";

/** A call of the product. */
export interface Action {
  name: string;
  call(world: World, key: string | null): Promise<unknown>;
  /**
   * Whether the rules allow it, given the facts right before it and the organization's time at which it was sent; null: no
   * rule.
   */
  isAllowed?(facts: Facts, sentAt: number): boolean | null;
  /** Whether it may be refused with this code although the rules allowed it, given the facts after it. */
  mayFail?(code: string, facts: Facts): boolean;
  /** The pay form that it sends. */
  form?: string;
  /** Whether it may be refused because strangers are slowed down, given the facts after it. */
  mayBeSlowed?(facts: Facts): boolean;
  /** What to remember of the answer. */
  remember?(answer: unknown): void;
  /** The session of the caller; null or absent if the call is made without one. */
  sessionId?: string | null;
  times: number;
  key: Key;
  fault: Fault;
  /** The call to the provider that the fault strikes. */
  strikes?: ProviderCall;
}

/** Refusals that say nothing about the rules of payments. */
const neutral = ["idempotency_key_in_use", "form_expired", "rate_limited"];

/** Waits for the answer. A refusal counts as one, and so does an unreachable provider. Other errors are flaws. */
export const answerOf = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => {
    const isFlaw = error instanceof Failure ? error.status >= 500 : !/connection|in time/.test(String(error));
    if (isFlaw) throw error;
    return error;
  });

/** A call, and what the rules said about it right before its first transaction; null without a rule. */
interface Sent {
  action: Pick<Action, "name" | "form" | "mayFail" | "mayBeSlowed" | "remember" | "sessionId">;
  isAllowed: boolean | null;
  keyed: KeyedCall | null;
}

export interface Judged extends Command {
  sent: Sent;
  /** Whether the caller's session had ended when the call was sent. */
  wasSignedOut?: boolean;
}

/** Refusals of a session that has ended. */
const signedOut = ["unauthorized", "session_already_invalidated"];

function outcomeOf(answer: unknown): string {
  if (answer instanceof Failure) return answer.code;
  return answer instanceof Error ? "the provider could not be reached" : "done";
}

const isInvalid = (ending: Ending | undefined): boolean =>
  ending !== undefined && "value" in ending && outcomeOf(ending.value).startsWith("invalid_");

/** How long after a call its key is certainly still stored, although a life's clock jumps. */
const keptMs = 29 * dayMs;

export class Calls {
  private keys = 0;

  constructor(
    private readonly world: World,
    private readonly memory: Memory,
    /** The facts right before a transaction. */
    private readonly factsNow: () => Promise<Facts> | Facts,
  ) {}

  /** Commands that make the call as often as the action says. `mayHang`: a fault may leave it without an answer. */
  commandsFor(action: Action, mayHang: boolean): Judged[] {
    const { name, call, key, times, fault, strikes } = action;
    const own = key === "none" ? null : `key-${this.keys++}-${this.world.id("req")}`;
    const keyed = own === null ? null : this.keep({ key: own, name, call: (world) => call(world, own), action });
    let isJudged = false;
    return Array.from({ length: key === "same" ? 2 : times }, (_, i) => {
      const sent: Sent = { action, isAllowed: null, keyed };
      let sentAt = 0;
      const command: Judged = {
        name: i > 0 ? `${name} again` : name,
        sent,
        run: async () => {
          sentAt = this.world.clock.now();
          await this.noteSession(command);
          if (i === 0 && fault && strikes) planFault(strikes, mayHang ? fault.cut : "reset", fault.moment);
          return answerOf(call(this.world, own));
        },
        beforeFirst: async () => {
          // Of two calls with one key, the second gets the answer of the first.
          if (isJudged && own !== null) return;
          isJudged = true;
          const facts = await this.factsNow();
          sent.isAllowed = action.isAllowed?.(facts, sentAt + facts.offsetMs) ?? null;
        },
      };
      return command;
    });
  }

  private async noteSession(command: Judged): Promise<void> {
    const { sessionId } = command.sent.action;
    if (!sessionId || !this.memory.isExact) return;
    command.wasSignedOut = !isLive(await this.factsNow(), sessionId);
  }

  private keep(call: Omit<KeyedCall, "at" | "answer">): KeyedCall {
    const keyed = { ...call, at: this.world.clock.now(), answer: null };
    this.memory.keyed.push(keyed);
    return keyed;
  }

  /** Makes an earlier call with a key again, with the same key. */
  repeat(which: number): Judged[] {
    const now = this.world.clock.now();
    const keyed = this.memory.keyed.filter(({ at }) => at < now && now < at + keptMs);
    const earlier = keyed[which % Math.max(1, keyed.length)];
    if (!earlier) return [];
    const sent: Sent = { action: earlier.action, isAllowed: null, keyed: earlier };
    const run = async () => {
      await this.noteSession(command);
      return answerOf(earlier.call(this.world));
    };
    const command: Judged = { name: `${earlier.name} repeated`, sent, run };
    return [command];
  }

  /**
   * Throws unless the answers follow the rules. `facts` are those after the commands. Returns what became of each
   * command, as text.
   */
  judge(commands: readonly Judged[], endings: readonly Ending[], facts: Facts): string[] {
    // Input refused as invalid is not kept: the same key may have been answered otherwise right after.
    const byOrder = commands.map((command, i) => ({ command, ending: endings[i] }));
    byOrder.sort((a, b) => Number(isInvalid(b.ending)) - Number(isInvalid(a.ending)));
    this.forgetSlowed(byOrder);
    return byOrder.map(({ command, ending }) => {
      const { sent } = command;
      if (ending && "value" in ending) {
        this.judgeOne(command, ending.value, facts);
        return `${sent.action.name}: ${outcomeOf(ending.value)}`;
      }
      if (/^refund/.test(sent.action.name)) this.memory.unanswered++;
      return `${sent.action.name}: the process died`;
    });
  }

  /** Forgets the forms that were slowed down each time that they were sent: they have begun nothing. */
  private forgetSlowed(judged: readonly { command: Judged; ending: Ending | undefined }[]): void {
    const isSlowed = (ending: Ending | undefined) =>
      ending !== undefined && "value" in ending && outcomeOf(ending.value) === "rate_limited";
    const begun = judged.filter(({ ending }) => !isSlowed(ending)).map(({ command }) => command.sent.action.form);
    for (const { command, ending } of judged) {
      const { form } = command.sent.action;
      if (form !== undefined && isSlowed(ending) && !begun.includes(form)) this.memory.forms.delete(form);
    }
  }

  private judgeOne({ name, sent, wasSignedOut }: Judged, answer: unknown, facts: Facts): void {
    const { action, isAllowed, keyed } = sent;
    const refusal = answer instanceof Failure ? answer.code : null;
    if (refusal !== null && action.sessionId && signedOut.includes(refusal)) {
      must(!isLive(facts, action.sessionId), "sessions", `${name} was refused as ${refusal} in a live session`);
      return;
    }
    must(wasSignedOut !== true, "sessions", `${name} was answered although the session had ended`);
    if (refusal === "rate_limited" && action.mayBeSlowed) {
      must(action.mayBeSlowed(facts), "42", `${name} was slowed down although few cards had failed`);
    }
    if (refusal !== null && neutral.includes(refusal)) return;
    if (keyed) {
      const text = textOf(answer);
      if (keyed.answer !== null) mustEqual(text, keyed.answer, "11", `${name} was answered differently with one key`);
      if (!refusal?.startsWith("invalid_")) keyed.answer = text;
    }
    if (answer instanceof Error && refusal === null) return;
    const says = `${name} was ${refusal === null ? "accepted" : `refused as ${refusal}`} against the rules`;
    const isExcused = refusal !== null && (action.mayFail?.(refusal, facts) ?? false);
    must(isAllowed === null || isExcused || isAllowed === (refusal === null), "20", says);
    if (refusal === null) action.remember?.(answer);
  }
}
