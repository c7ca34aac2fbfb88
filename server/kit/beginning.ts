// The beginning of a request: of one caller only a few have begun at a time.
import type { Lanes } from "./lanes";
import { limits } from "./limits";

/**
 * A request's lane among those that its caller has begun. It ends with the request or after some time, since most of what
 * takes longer waits for something else. On PostgreSQL a beginning takes the event loop hardly any time and then waits for
 * a connection of the pool: of a caller who began hundreds, others would wait behind all of them.
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
