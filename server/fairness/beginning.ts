// The start of a request: a caller may have only a few requests that have just started.

import { limits } from "@/server/kit/limits";
import type { Lanes } from "./lanes";

/**
 * The lane that a request takes when it starts. It is released when the request ends, or after a while, because a long
 * request mostly waits for something else. Without lanes a caller could start hundreds of requests at once, and on
 * PostgreSQL everyone else would queue for a connection behind them.
 */
export class Beginning {
  private isTaken = false;
  private isOver = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly lanes: Lanes,
    private readonly caller: string,
  ) {}

  /** Takes the lane. Returns null if it was free, else a promise to await. */
  take(): Promise<void> | null {
    if (this.isTaken) return null;
    this.isTaken = true;
    return this.lanes.take(this.caller);
  }

  /** Call when the work starts. */
  begun(): void {
    this.timer ??= setTimeout(() => this.end(), limits.begun.forMs);
  }

  /** Releases the lane, once. */
  end(): void {
    if (!this.isTaken || this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.lanes.release(this.caller);
  }
}
