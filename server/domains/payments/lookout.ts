// Notifies waiting calls of changes by other processes and by time, with one query for all watched payment requests.
import type { Runtime } from "@/server/process/runtime";
import { findStandings, type Standing } from "./store";

/** How often it queries while a call waits. */
const intervalMs = 1_000;

interface Watched {
  calls: number;
  seen: string;
}

class Lookout {
  private readonly watched = new Map<string, Watched>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly runtime: Runtime) {}

  /** Watches a payment request from the snapshot that the call read, until the returned function is called. */
  watch(standing: Standing): () => void {
    const { id } = standing;
    const entry = this.watched.get(id) ?? { calls: 0, seen: this.describe(standing) };
    entry.calls++;
    this.watched.set(id, entry);
    this.notice(standing);
    this.lookLater();
    return () => {
      if (--entry.calls === 0) this.watched.delete(id);
    };
  }

  private lookLater(): void {
    this.timer ??= setTimeout(() => void this.look(), intervalMs).unref();
  }

  private async look(): Promise<void> {
    try {
      const standings = await findStandings(this.runtime.db.read, [...this.watched.keys()]);
      for (const standing of standings) this.notice(standing);
    } catch (error) {
      this.runtime.log.warn({ err: error }, "could not query changes for waiting calls");
    }
    this.timer = undefined;
    if (this.watched.size > 0) this.lookLater();
  }

  private notice(standing: Standing): void {
    const entry = this.watched.get(standing.id);
    const seen = this.describe(standing);
    if (!entry || entry.seen === seen) return;
    entry.seen = seen;
    this.runtime.changes.announce(standing.id);
  }

  /** A text that changes whenever the answer may: when the row is written, or a deadline passes. */
  private describe({ status, updatedAt, expiresAt, captureBefore }: Standing): string {
    const now = this.runtime.clock.now();
    const isPast = (at: number | null) => at !== null && now >= at;
    return `${status} ${updatedAt} ${isPast(expiresAt)} ${isPast(captureBefore)}`;
  }
}

const lookouts = new WeakMap<Runtime, Lookout>();

/** Announces all changes of the payment request in this process until the returned function is called. */
export function watchPayment(runtime: Runtime, standing: Standing): () => void {
  const lookout = lookouts.get(runtime) ?? new Lookout(runtime);
  lookouts.set(runtime, lookout);
  return lookout.watch(standing);
}
