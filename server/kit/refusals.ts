// How many refusals get an audit entry of their own: beyond that they are counted, so that no attack fills the disk.
import { addressBlock } from "./peer";

const minuteMs = 60_000;
/** In one minute and process: from one address block, and in all. */
const entriesPerBlock = 10;
const entriesInAll = 60;
/** Address blocks that are counted apart; those of all others are counted together. */
const mostBlocks = 60;
const others = "others";

/** Refusals of one minute from one address block that have no entry of their own. */
export interface RefusalCount {
  /** Epoch ms at which the minute began. */
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

  /** Whether a refusal at `now` (epoch ms) gets an entry of its own; if not, it is counted. */
  admits(address: string | null, now: number): boolean {
    this.turnTo(now);
    const tally = this.tallyOf(addressBlock(address));
    if (this.written >= entriesInAll || tally.written >= entriesPerBlock) {
      tally.counted++;
      return false;
    }
    this.written++;
    tally.written++;
    return true;
  }

  /** The same for one call: decided once, however often its transaction runs. */
  admission(address: string | null, now: number): () => boolean {
    let isAdmitted: boolean | undefined;
    return () => {
      isAdmitted ??= this.admits(address, now);
      return isAdmitted;
    };
  }

  /** The counts of minutes that are over at `now`; each is given once. */
  takeCounts(now: number): RefusalCount[] {
    this.turnTo(now);
    return this.over.splice(0);
  }

  private turnTo(now: number): void {
    const minute = now - (now % minuteMs);
    if (minute === this.minute) return;
    for (const [block, { counted }] of this.tallies) {
      if (counted > 0) this.over.push({ minute: this.minute, block, count: counted });
    }
    // Nobody has taken them for long: the oldest make way.
    this.over = this.over.slice(-10 * mostBlocks);
    this.tallies.clear();
    this.written = 0;
    this.minute = minute;
  }

  private tallyOf(block: string): Tally {
    const name = this.tallies.has(block) || this.tallies.size < mostBlocks ? block : others;
    const tally = this.tallies.get(name) ?? { written: 0, counted: 0 };
    this.tallies.set(name, tally);
    return tally;
  }
}
