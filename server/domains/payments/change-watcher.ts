// Notifies waiting calls of changes by other processes and by time, with one query for all watched payment requests.
import type { Runtime } from "@/server/process/runtime";
import { findStatusSnapshots, type StatusSnapshot } from "./store";

/** How often it queries while a call waits. */
const intervalMs = 1_000;

interface Watched {
  calls: number;
  seen: string;
}

class ChangeWatcher {
  private readonly watched = new Map<string, Watched>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly runtime: Runtime) {}

  /** Watches a payment request from the snapshot that the call read, until the returned function is called. */
  watch(snapshot: StatusSnapshot): () => void {
    const { id } = snapshot;
    const entry = this.watched.get(id) ?? { calls: 0, seen: this.describe(snapshot) };
    entry.calls++;
    this.watched.set(id, entry);
    this.notice(snapshot);
    this.scheduleQuery();
    return () => {
      if (--entry.calls === 0) this.watched.delete(id);
    };
  }

  private scheduleQuery(): void {
    this.timer ??= setTimeout(() => void this.query(), intervalMs).unref();
  }

  private async query(): Promise<void> {
    try {
      const snapshots = await findStatusSnapshots(this.runtime.db.read, [...this.watched.keys()]);
      for (const snapshot of snapshots) this.notice(snapshot);
    } catch (error) {
      this.runtime.log.warn({ err: error }, "could not query changes for waiting calls");
    }
    this.timer = undefined;
    if (this.watched.size > 0) this.scheduleQuery();
  }

  private notice(snapshot: StatusSnapshot): void {
    const entry = this.watched.get(snapshot.id);
    const seen = this.describe(snapshot);
    if (!entry || entry.seen === seen) return;
    entry.seen = seen;
    this.runtime.changes.announce(snapshot.id);
  }

  /** A text that changes whenever the answer may: when the row is written, or a deadline passes. */
  private describe({ status, updatedAt, expiresAt, captureBefore }: StatusSnapshot): string {
    const now = this.runtime.clock.now();
    const isPast = (at: number | null) => at !== null && now >= at;
    return `${status} ${updatedAt} ${isPast(expiresAt)} ${isPast(captureBefore)}`;
  }
}

const watchers = new WeakMap<Runtime, ChangeWatcher>();

/** Announces all changes of the payment request in this process until the returned function is called. */
export function watchPayment(runtime: Runtime, snapshot: StatusSnapshot): () => void {
  const watcher = watchers.get(runtime) ?? new ChangeWatcher(runtime);
  watchers.set(runtime, watcher);
  return watcher.watch(snapshot);
}
