// The demo's time: what happens is carried out in order, each act at its own instant.
import type { Clock } from "@/server/process/clock";

interface Act {
  /** Epoch milliseconds. */
  at: number;
  run(): Promise<unknown>;
}

/** A clock that moves from act to act. Acts may add later ones. */
export class Timeline implements Clock {
  private readonly acts: Act[] = [];

  private current: number;

  constructor(
    private readonly start: number,
    readonly end: number,
  ) {
    this.current = start;
  }

  now(): number {
    return this.current;
  }

  /** Lets a second pass, but never goes beyond the end. */
  tick(): void {
    this.current = Math.min(this.current + 1000, this.end);
  }

  /** How much of the whole time has passed at `at`: from 0 to 1. */
  progress(at: number): number {
    return (at - this.start) / (this.end - this.start);
  }

  /** Plans an act, unless it would be in the future. */
  plan(at: number, run: Act["run"]): void {
    if (at > this.end) return;
    const isLater = (act: Act) => act.at > at;
    const index = this.acts.findIndex(isLater);
    this.acts.splice(index === -1 ? this.acts.length : index, 0, { at, run });
  }

  /** Carries out every act, with `betweenDays` at each midnight (UTC), and ends at the present. */
  async run(betweenDays: () => Promise<unknown>): Promise<void> {
    const dayMs = 86_400_000;
    for (let act = this.acts.shift(); act; act = this.acts.shift()) {
      const isNewDay = Math.floor(act.at / dayMs) > Math.floor(this.current / dayMs);
      this.current = Math.max(this.current, act.at);
      if (isNewDay) await betweenDays();
      await act.run();
    }
    this.current = Math.max(this.current, this.end);
    await betweenDays();
  }
}
