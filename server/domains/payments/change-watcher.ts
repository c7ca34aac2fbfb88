// Notifies waiting calls of changes by other processes and by time, with one query for all watched payment requests.
import type { Changes } from "@/server/kit/changes";
import type { Clock } from "@/server/process/clock";
import type { Runtime } from "@/server/process/runtime";
import { findStatusSnapshots, type StatusSnapshot } from "./store";

/** How often it queries while a call waits. */
const intervalMs = 1_000;

interface Watched {
  /** That of its organization. */
  clock: Clock;
  calls: number;
  seen: string;
}

class ChangeWatcher {
  private readonly watched = new Map<string, Watched>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly runtime: Pick<Runtime, "db" | "log" | "changes">) {}

  /** Watches a payment request from the snapshot that the call read, until the returned function is called. */
  watch(snapshot: StatusSnapshot, clock: Clock): () => void {
    const { id } = snapshot;
    const entry = this.watched.get(id) ?? { clock, calls: 0, seen: describe(snapshot, clock) };
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
    if (!entry) return;
    const seen = describe(snapshot, entry.clock);
    if (entry.seen === seen) return;
    entry.seen = seen;
    this.runtime.changes.announce(snapshot.id);
  }
}

/** A text that changes whenever the answer may: when the row is written, or a deadline passes. */
function describe({ status, updatedAt, expiresAt, captureBefore }: StatusSnapshot, clock: Clock): string {
  const now = clock.now();
  const isPast = (at: number | null) => at !== null && now >= at;
  return `${status} ${updatedAt} ${isPast(expiresAt)} ${isPast(captureBefore)}`;
}

/** One for each process: its runtimes share their changes. */
const watchers = new WeakMap<Changes, ChangeWatcher>();

/** Announces all changes of the payment request in this process until the returned function is called. */
export function watchPayment(runtime: Runtime, snapshot: StatusSnapshot): () => void {
  const watcher = watchers.get(runtime.changes) ?? new ChangeWatcher(runtime);
  watchers.set(runtime.changes, watcher);
  return watcher.watch(snapshot, runtime.clock);
}
