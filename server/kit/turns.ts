// Turns of the event loop, handed out fairly: however many requests a caller has, those of others come in between.

/** Milliseconds of work that may begin in one turn of the event loop before newcomers have to wait. */
const sliceMs = 5;
/** Pieces of work that begin in one turn, since some only show later how long they take. */
const mostPerTurn = 8;

interface Waiting {
  begin: () => void;
  isGone: () => boolean;
}

/** Lets work begin at once while there is little of it; else one piece for each caller in turn (round robin). */
export class Turns {
  /** In the order in which the callers come to their turn. */
  private readonly queues = new Map<string, Waiting[]>();
  private startedAt = 0;
  private begun = 0;
  private isScheduled = false;

  /**
   * Null when the caller's work may begin now, else a promise that resolves at its turn. The promise of a caller that has
   * gone never resolves.
   */
  take(caller: string, isGone: () => boolean): Promise<void> | null {
    if (this.queues.size === 0 && this.hasTime()) return null;
    return new Promise((begin) => {
      const queue = this.queues.get(caller);
      if (queue) queue.push({ begin, isGone });
      else this.queues.set(caller, [{ begin, isGone }]);
      this.schedule();
    });
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
    this.startedAt = performance.now();
    for (let i = 1; i < mostPerTurn; i++) {
      setImmediate(() => {
        if (performance.now() - this.startedAt < sliceMs) this.beginNext();
      });
    }
    this.schedule();
    this.beginNext();
  }

  private beginNext(): void {
    for (const [caller, queue] of this.queues) {
      const waiting = queue.shift();
      this.queues.delete(caller);
      if (queue.length > 0) this.queues.set(caller, queue);
      if (!waiting || waiting.isGone()) continue;
      waiting.begin();
      return;
    }
  }
}
