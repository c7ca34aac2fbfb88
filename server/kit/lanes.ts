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

  /** Runs the work once the caller has a lane free. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const caller = this.callers.get(name) ?? { running: 0, waiting: [] };
    this.callers.set(name, caller);
    if (caller.running < this.each) caller.running++;
    // Work that ends passes its lane on to the next.
    else await new Promise<void>((resume) => caller.waiting.push(resume));
    try {
      return await work();
    } finally {
      const next = caller.waiting.shift();
      if (next) next();
      else if (--caller.running === 0) this.callers.delete(name);
    }
  }
}
