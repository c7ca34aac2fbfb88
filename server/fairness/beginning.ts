// The beginning of a request: a caller may have only a few that have just begun.

import { limits } from "@/server/kit/limits";
import type { Lanes } from "./lanes";

/**
 * The lane that a request takes when it begins. It is given back when the request ends, or after a while, since a request
 * that takes long mostly waits for something else. Without lanes, a caller could begin hundreds of requests at once, and
 * on PostgreSQL everyone else would queue for a connection behind them.
 */
export class Beginning {
  private isTaken = false;
  private isOver = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly lanes: Lanes,
    private readonly caller: string,
  ) {}

  /** Takes the lane; null if it was free, else to be awaited. */
  take(): Promise<void> | null {
    if (this.isTaken) return null;
    this.isTaken = true;
    return this.lanes.take(this.caller);
  }

  /** To be called when the work begins. */
  begun(): void {
    this.timer ??= setTimeout(() => this.end(), limits.begun.forMs);
  }

  /** Gives the lane back, once. */
  end(): void {
    if (!this.isTaken || this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.lanes.release(this.caller);
  }
}
