// Estimates of how many records match a search, kept so that paging through a list estimates once.
import { limits } from "./limits";

const { keptMs, kept: mostKept } = limits.totals;

/** The estimates of the last minute. */
export class KeptTotals {
  private readonly kept = new Map<string, { count: number; until: number }>();

  /** The estimate under this key at `now`, epoch milliseconds; undefined if there is none. */
  get(key: string, now: number): number | undefined {
    const found = this.kept.get(key);
    return found && now < found.until ? found.count : undefined;
  }

  keep(key: string, count: number, now: number): void {
    this.kept.delete(key);
    this.kept.set(key, { count, until: now + keptMs });
    const [oldest] = this.kept.keys();
    if (this.kept.size > mostKept && oldest !== undefined) this.kept.delete(oldest);
  }
}
