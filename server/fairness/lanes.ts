// Lanes: how many pieces of one caller's work run at the same time. Further ones wait, in their order.

interface Caller {
  running: number;
  readonly waiting: (() => void)[];
}

/** Keeps a caller from having all connections of a database busy, however many requests it has under way. */
export class Lanes {
  private readonly callers = new Map<string, Caller>();

  /** `each`: pieces of one caller that run at the same time. */
  constructor(private readonly each: number) {}

  /**
   * Takes a lane of the caller: null if one is free, else to be awaited. Every one taken is given back by {@link release},
   * also after a failure.
   */
  take(name: string): Promise<void> | null {
    const caller = this.callers.get(name) ?? { running: 0, waiting: [] };
    this.callers.set(name, caller);
    if (caller.running < this.each) {
      caller.running++;
      return null;
    }
    return new Promise((resume) => caller.waiting.push(resume));
  }

  /** Gives back a lane: the next that waits has it now. */
  release(name: string): void {
    const caller = this.callers.get(name);
    const next = caller?.waiting.shift();
    if (next) next();
    else if (caller && --caller.running === 0) this.callers.delete(name);
  }
}
