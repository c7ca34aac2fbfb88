// Turns of the event loop, handed out fairly: however many requests a caller has, those of others come in between.
import { setImmediate as nextLoopTurn } from "node:timers/promises";
import type { CallRequest } from "./context";
import { protocolFailure } from "./errors";

/** The turns of one request. They reject as `unavailable` once its caller has gone. */
export interface RequestTurns {
  /** To be awaited before work begins; null when it may begin now. */
  first(): Promise<void> | null;
  /** To be awaited between the pieces of work that may go on for long. */
  next(): Promise<void>;
}

/** Where no server hands out turns: everything has a turn of the event loop. */
export const ownTurns: RequestTurns = { first: () => null, next: () => nextLoopTurn() };

/** Lets others come to their turn before the call's work goes on. */
export const othersTurn = ({ notes }: Pick<CallRequest, "notes">): Promise<void> => (notes?.turns ?? ownTurns).next();

/** Milliseconds of work that may begin in one turn of the event loop before newcomers have to wait. */
const sliceMs = 5;
/** Pieces of work that begin in one turn, since some only show later how long they take. */
const mostPerTurn = 8;
/** Milliseconds for which work waits at most while the server takes new connections. */
const acceptMs = 5;

interface Waiting {
  begin: () => void;
  giveUp: (reason: Error) => void;
  isGone: () => boolean;
}

/** Lets work begin at once while there is little of it; else one piece for each caller in turn (round robin). */
export class Turns {
  /** In the order in which the callers come to their turn. */
  private readonly queues = new Map<string, Waiting[]>();
  private startedAt = 0;
  private begun = 0;
  private isScheduled = false;
  private hasNewConnection = false;
  private acceptingSince: number | null = null;

  /** The turns of a request of the caller. */
  of(caller: string, isGone: () => boolean): RequestTurns {
    return {
      first: () => (this.queues.size === 0 && this.hasTime() ? null : this.wait(caller, isGone)),
      next: () => this.wait(caller, isGone),
    };
  }

  private wait(caller: string, isGone: () => boolean): Promise<void> {
    return new Promise((begin, giveUp) => {
      const queue = this.queues.get(caller);
      if (queue) queue.push({ begin, giveUp, isGone });
      else this.queues.set(caller, [{ begin, giveUp, isGone }]);
      this.schedule();
    });
  }

  /**
   * To be called for each new connection. Node takes one in each turn of the event loop, in their order. If each turn had
   * work in it, whoever connects after a few hundred others would wait for as much work.
   */
  noteConnection(): void {
    this.hasNewConnection = true;
  }

  private hasTime(): boolean {
    if (!this.isScheduled) this.startedAt = performance.now();
    this.schedule();
    return ++this.begun <= mostPerTurn && performance.now() - this.startedAt < sliceMs;
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.nextTurn());
  }

  /** What begins here runs before the next callback, so each piece of work sees how long the ones before it took. */
  private nextTurn(): void {
    this.isScheduled = false;
    this.begun = 0;
    if (this.queues.size === 0) return;
    if (this.isAccepting()) {
      this.schedule();
      return;
    }
    this.startedAt = performance.now();
    for (let i = 1; i < mostPerTurn; i++) {
      setImmediate(() => {
        if (performance.now() - this.startedAt < sliceMs) this.beginNext();
      });
    }
    this.schedule();
    this.beginNext();
  }

  /** Whether this turn is left to the connections that wait: each has brought one for a little while. */
  private isAccepting(): boolean {
    const now = performance.now();
    this.acceptingSince = this.hasNewConnection ? (this.acceptingSince ?? now) : null;
    this.hasNewConnection = false;
    if (this.acceptingSince === null) return false;
    if (now - this.acceptingSince < acceptMs) return true;
    this.acceptingSince = null;
    return false;
  }

  private beginNext(): void {
    for (const [caller, queue] of this.queues) {
      const waiting = queue.shift();
      this.queues.delete(caller);
      if (queue.length > 0) this.queues.set(caller, queue);
      if (waiting?.isGone()) {
        waiting.giveUp(protocolFailure("unavailable", "The caller has gone."));
        continue;
      }
      waiting?.begin();
      return;
    }
  }
}
