// Notifies waiting calls of changes by other processes and by time, with one query for all rows that are watched.
import type { Reader } from "@/db/client";
import type { Runtime } from "@/server/process/runtime";
import type { Changes } from "./changes";

/** How often it queries while a call waits. */
const intervalMs = 1_000;

interface Watched<Row> {
  calls: number;
  seen: string;
  describe(row: Row | undefined): string;
}

/** The rows with these ids, in any order. */
type Find<Row> = (q: Reader, ids: readonly string[]) => Promise<readonly Row[]>;

class Watcher<Row extends { id: string }> {
  private readonly watched = new Map<string, Watched<Row>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly runtime: Pick<Runtime, "db" | "log" | "changes">,
    private readonly find: Find<Row>,
  ) {}

  watch(id: string, row: Row | undefined, describe: Watched<Row>["describe"]): () => void {
    const entry = this.watched.get(id) ?? { calls: 0, seen: describe(row), describe };
    entry.calls++;
    this.watched.set(id, entry);
    this.notice(id, row);
    this.scheduleQuery();
    return () => {
      if (--entry.calls === 0) this.watched.delete(id);
    };
  }

  private scheduleQuery(): void {
    this.timer ??= setTimeout(() => void this.query(), intervalMs).unref();
  }

  private async query(): Promise<void> {
    const ids = [...this.watched.keys()];
    try {
      const rows = new Map((await this.find(this.runtime.db.read, ids)).map((row) => [row.id, row]));
      for (const id of ids) this.notice(id, rows.get(id));
    } catch (error) {
      this.runtime.log.warn({ err: error }, "could not query changes for waiting calls");
    }
    this.timer = undefined;
    if (this.watched.size > 0) this.scheduleQuery();
  }

  private notice(id: string, row: Row | undefined): void {
    const entry = this.watched.get(id);
    if (!entry) return;
    const seen = entry.describe(row);
    if (entry.seen === seen) return;
    entry.seen = seen;
    this.runtime.changes.announce(id);
  }
}

/**
 * A function that announces all changes of one row in this process until the function that it returns is called. It
 * takes the row as the call has read it; `describe` makes a text of the row that changes whenever the answer may, and
 * gets undefined for a row that is gone.
 */
export function watching<Row extends { id: string }>(find: Find<Row>) {
  /** One for each process: its runtimes share their changes. */
  const watchers = new WeakMap<Changes, Watcher<Row>>();
  return (runtime: Runtime, row: Row, describe: (row: Row | undefined) => string): (() => void) => {
    const watcher = watchers.get(runtime.changes) ?? new Watcher(runtime, find);
    watchers.set(runtime.changes, watcher);
    return watcher.watch(row.id, row, describe);
  };
}
