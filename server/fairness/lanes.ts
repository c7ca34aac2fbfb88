// Lanes limit how many pieces of one caller's work run concurrently. Further pieces wait in order.

interface Caller {
  running: number;
  readonly waiting: (() => void)[];
}

/** Prevents a caller from occupying all database connections, however many requests it sends. */
export class Lanes {
  private readonly callers = new Map<string, Caller>();

  /** `each`: pieces of one caller that run concurrently. */
  constructor(private readonly each: number) {}

  /**
   * Takes a lane of the caller. Returns null if one is free, else a promise to await. Each lane taken must be given
   * back by {@link release}, also after a failure.
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

  /** Releases a lane to the next piece that waits. */
  release(name: string): void {
    const caller = this.callers.get(name);
    const next = caller?.waiting.shift();
    if (next) next();
    else if (caller && --caller.running === 0) this.callers.delete(name);
  }
}
