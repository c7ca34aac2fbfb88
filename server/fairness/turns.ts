// Fair turns on the event loop: one caller's many requests do not delay those of others.
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import type { CallRequest } from "@/server/kit/context";
import { protocolFailure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import { Beginning } from "./beginning";
import { Lanes } from "./lanes";
import { Pauses } from "./pauses";

/** The turns of one request. They reject as `unavailable` once its caller has disconnected. */
export interface RequestTurns {
  /** Await before work starts; null if it may start now. */
  first(): Promise<void> | null;
  /** Runs a piece of long work at the caller's next turn, one piece of a caller at a time. */
  piece<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the caller has disconnected. */
  hasLeft(): boolean;
  /** Call when the work for the request has ended. */
  ended(): void;
}

/** Used where no server schedules turns: each piece just yields to the event loop. */
export const ownTurns: RequestTurns = {
  first: () => null,
  async piece(work) {
    await nextLoopTurn();
    return work();
  },
  hasLeft: () => false,
  ended() {},
};

/** Runs a piece of a call's long work, such as a part of a list, after others had a turn. */
export const inTurn = <T>({ notes }: Pick<CallRequest, "notes">, work: () => Promise<T>): Promise<T> =>
  (notes?.turns ?? ownTurns).piece(work);

/**
 * Milliseconds of work that may start in one turn of the event loop. A call that queries the database needs several
 * turns and waits this long for each.
 */
const sliceMs = 2;
/**
 * The most pieces that start in one turn, since their duration is known only afterwards: of newcomers, and of callers
 * that waited.
 */
const mostPerTurn = { newcomers: 8, waiting: 32 };
/** Longest time in milliseconds for which turns are left to new connections. */
const acceptMs = 5;
/**
 * Milliseconds after which a waiting caller gets a turn regardless of its used time. Otherwise newcomers could take
 * every turn.
 */
const longestWaitMs = 50;
/** The most that one piece is charged, in milliseconds: a machine that was suspended is not the caller's fault. */
const mostChargedMs = 100;

/** Runs the function after all promises that are resolved by now, and those they resolve, have been handled. */
const afterPromises = (run: () => void) => queueMicrotask(() => process.nextTick(run));

interface Waiting {
  begin: () => void;
  giveUp: (reason: Error) => void;
  hasLeft: () => boolean;
}

interface Caller {
  /** When it began to wait for its next turn. */
  since: number;
  /** The time that its work has used, in milliseconds; see {@link Turns.time}. */
  used: number;
  readonly waiting: Waiting[];
}

/**
 * Starts work at once under low load. Otherwise callers who have used the least time go first (start-time fair
 * queuing). A heavy caller waits; a light one waits for one piece of another's work.
 */
export class Turns {
  private readonly callers = new Map<string, Caller>();
  private readonly pieces = new Lanes(limits.piecesAtOnce);
  private readonly beginnings = new Lanes(limits.begun.atOnce);
  private readonly pauses: Pauses;
  /** The caller whose work started last and has not been charged yet. */
  private latest: Caller | null = null;
  private latestBeganAt = 0;
  /** The least time that a waiting caller has used. New callers start there, not at zero. */
  private time = 0;
  private startedAt = 0;
  private begun = 0;
  private isScheduled = false;
  private hasNewConnection = false;
  private acceptingSince: number | null = null;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(private readonly now = () => performance.now()) {
    this.pauses = new Pauses(now);
  }

  /** The turns of one of the caller's requests. */
  of(caller: string, hasLeft: () => boolean): RequestTurns {
    const beginning = new Beginning(this.beginnings, caller);
    return {
      first: () => {
        this.pauses.note(caller);
        const lane = beginning.take();
        if (lane !== null || !this.mayBeginAtOnce())
          return this.beginLater(beginning, lane, () => this.wait(caller, hasLeft));
        beginning.begun();
        return null;
      },
      piece: (work) => this.piece(caller, hasLeft, work),
      hasLeft,
      ended: () => beginning.end(),
    };
  }

  /**
   * Call for each new connection. Node accepts one per turn of the event loop, in order. If each turn also ran work, a
   * caller behind a few hundred connections would wait for as many pieces of work.
   */
  noteConnection(): void {
    this.hasNewConnection = true;
  }

  private async piece<T>(name: string, hasLeft: () => boolean, work: () => Promise<T>): Promise<T> {
    await this.pieces.take(name);
    let beganAt: number | null = null;
    try {
      await this.wait(name, hasLeft);
      this.pauses.note(name);
      beganAt = this.now();
      return await work();
    } finally {
      if (beganAt === null) this.pieces.release(name);
      else this.pauses.after(name, this.now() - beganAt).then(() => this.pieces.release(name));
    }
  }

  private async beginLater(beginning: Beginning, lane: Promise<void> | null, turn: () => Promise<void>): Promise<void> {
    await lane;
    await turn();
    beginning.begun();
  }

  private wait(name: string, hasLeft: () => boolean): Promise<void> {
    return new Promise((begin, giveUp) => {
      const caller = this.callers.get(name) ?? { since: 0, used: this.time, waiting: [] };
      if (caller.waiting.length === 0) {
        caller.since = this.now();
        caller.used = Math.max(caller.used, this.time);
      }
      caller.waiting.push({ begin, giveUp, hasLeft });
      this.callers.set(name, caller);
      this.schedule();
    });
  }

  /** Whether nobody waits, no connection may be queued, and this turn of the event loop has time left. */
  private mayBeginAtOnce(): boolean {
    if (this.callers.size > 0 || this.hasNewConnection) return false;
    if (!this.isScheduled) this.startedAt = this.now();
    this.schedule();
    return ++this.begun <= mostPerTurn.newcomers && this.now() - this.startedAt < sliceMs;
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.nextTurn());
  }

  private nextTurn(): void {
    this.isScheduled = false;
    this.begun = 0;
    if (this.callers.size === 0) return;
    this.schedule();
    if (this.isAccepting()) return;
    this.startedAt = this.now();
    this.workOn();
  }

  /** Starts pieces of work one after another while there is time. Each runs until it has to wait. */
  private workOn(): void {
    this.begun++;
    if (!this.beginNext()) return;
    afterPromises(() => {
      this.charge();
      if (this.begun < mostPerTurn.waiting && this.now() - this.startedAt < sliceMs) this.workOn();
    });
  }

  /** Whether to leave this turn to queued connections: while each turn brings one, but not for long. */
  private isAccepting(): boolean {
    const now = this.now();
    this.acceptingSince = this.hasNewConnection ? (this.acceptingSince ?? now) : null;
    this.hasNewConnection = false;
    if (this.acceptingSince === null) return false;
    if (now - this.acceptingSince < acceptMs) return true;
    this.acceptingSince = null;
    return false;
  }

  /** Starts the work whose turn it is; false if none waits. */
  private beginNext(): boolean {
    for (;;) {
      const caller = this.first();
      const waiting = caller?.waiting.shift();
      if (!caller || !waiting) return false;
      if (waiting.hasLeft()) {
        waiting.giveUp(protocolFailure("unavailable", "The caller disconnected."));
        continue;
      }
      this.latest = caller;
      this.latestBeganAt = this.now();
      caller.since = this.latestBeganAt;
      waiting.begin();
      return true;
    }
  }

  /**
   * The waiting caller who has used the least time, or one who has waited too long. Forgets callers who neither wait
   * nor have used more than others.
   */
  private first(): Caller | null {
    let least: Caller | null = null;
    let longest: Caller | null = null;
    for (const [name, caller] of this.callers) {
      if (caller.waiting.length > 0) {
        if (!least || caller.used < least.used) least = caller;
        if (!longest || caller.since < longest.since) longest = caller;
      } else if (caller.used <= this.time) {
        this.callers.delete(name);
      }
    }
    // Nobody waits, so past use no longer counts.
    if (!least) this.callers.clear();
    else this.time = least.used;
    return longest && this.now() - longest.since >= longestWaitMs ? longest : least;
  }

  /** Charges the work that started last with the time since. */
  private charge(): void {
    if (!this.latest) return;
    this.latest.used += Math.min(mostChargedMs, this.now() - this.latestBeganAt);
    this.latest = null;
  }
}
