// Decides which refusals get their own audit entry. The rest are counted, so that no attack fills the disk.

import { limits, minuteMs } from "@/server/kit/limits";
import { addressBlock } from "@/server/kit/peer";

const entries = limits.refusalEntries;
const others = "others";

/** Refusals of one minute from one address block without their own entry. */
interface RefusalCount {
  /** Epoch milliseconds at which the minute began. */
  minute: number;
  block: string;
  count: number;
}

interface Tally {
  written: number;
  counted: number;
}

export class Refusals {
  private minute = 0;
  private written = 0;
  private readonly tallies = new Map<string, Tally>();
  private over: RefusalCount[] = [];

  /** Whether a refusal at `now` (epoch ms) gets its own entry. If not, it is counted. */
  admits(address: string | null, now: number): boolean {
    this.turnTo(now);
    const tally = this.tallyOf(addressBlock(address));
    if (this.written >= entries.inAll || tally.written >= entries.perBlock) {
      tally.counted++;
      return false;
    }
    this.written++;
    tally.written++;
    return true;
  }

  /** Like {@link admits}, for one call: decided once, however often its transaction runs. */
  admission(address: string | null, now: number): () => boolean {
    let isAdmitted: boolean | undefined;
    return () => {
      isAdmitted ??= this.admits(address, now);
      return isAdmitted;
    };
  }

  /**
   * Takes the counts of minutes that have ended by `now`, and with `isLast` also the current one. Each is returned
   * once.
   */
  takeCounts(now: number, isLast = false): RefusalCount[] {
    this.turnTo(now);
    if (isLast) this.countMinute();
    return this.over.splice(0);
  }

  /** Puts back counts that could not be written. */
  putBack(counts: readonly RefusalCount[]): void {
    this.keep([...counts, ...this.over]);
  }

  private turnTo(now: number): void {
    const minute = now - (now % minuteMs);
    if (minute === this.minute) return;
    this.countMinute();
    this.tallies.clear();
    this.written = 0;
    this.minute = minute;
  }

  private countMinute(): void {
    const counts: RefusalCount[] = [];
    for (const [block, tally] of this.tallies) {
      if (tally.counted > 0) counts.push({ minute: this.minute, block, count: tally.counted });
      tally.counted = 0;
    }
    this.keep([...this.over, ...counts]);
  }

  /** Drops the oldest counts if they could not be written for long. */
  private keep(counts: RefusalCount[]): void {
    this.over = counts.slice(-10 * entries.blocks);
  }

  private tallyOf(block: string): Tally {
    const name = this.tallies.has(block) || this.tallies.size < entries.blocks ? block : others;
    const tally = this.tallies.get(name) ?? { written: 0, counted: 0 };
    this.tallies.set(name, tally);
    return tally;
  }
}
