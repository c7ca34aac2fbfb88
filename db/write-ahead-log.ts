// SQLite's write-ahead log: threads sync it and copy it into the database file, so that no disk blocks the event loop.
import { closeSync, fdatasync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Piscina } from "piscina";
import { isStorageFault } from "./errors";
import type { Log } from "./group-commit";

const syncFile = promisify(fdatasync);

/** Milliseconds from a commit to its checkpoint, and the log length in pages at which writes pause for the copy. */
interface CheckpointRule {
  afterMs: number;
  longLog: number;
}
const usual: CheckpointRule = { afterMs: 1_000, longLog: 4_000 };

/** Called when a checkpoint fails. */
export interface OnError {
  /** The log or the database file could not be read or written and can no longer be trusted. */
  fault(error: Error): void;
  /** Any other error, such as a full disk or a thread that did not start: the next checkpoint catches up. */
  trouble(error: Error): void;
}

type Outcome = { pages: number } | { error: { code?: string; message: string } };

/**
 * The log of one database. The writer begins once the log is {@link ready}, commits with `synchronous=NORMAL`, which only
 * hands the log to the system, and calls {@link sync} before answering. If SQLite did this itself, syncs and checkpoints
 * would block the event loop.
 */
export class WriteAheadLog implements Log {
  private readonly file: number;
  private readonly thread: Piscina;
  private timer: NodeJS.Timeout | undefined;
  private copying: Promise<void> = Promise.resolve();
  /** While set, writes wait until it resolves. */
  private pause: Promise<void> | undefined;
  private isStopped = false;
  /** Whether the log is to be emptied: once the transaction that erases something is committed, and from then on. */
  private emptying: "after commit" | "now" | null = null;

  constructor(
    private readonly path: string,
    private readonly on: OnError,
    private readonly rule = usual,
  ) {
    // SQLite resolves symbolic links before it names the log. Beside a link there is no log, or an unrelated one.
    this.file = openSync(`${realpathSync(path)}-wal`, "r+");
    this.thread = new Piscina({
      filename: join(process.cwd(), "db/checkpoint-worker.cjs"),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 60_000,
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
    });
  }

  /**
   * Resolves once everything committed is on the disk. Rejects with the system's error. The content of the disk is then
   * unknown, and a retry would not tell, because the system forgets what it failed to write.
   */
  async sync(): Promise<void> {
    await syncFile(this.file);
    if (!this.isStopped) this.timer ??= setTimeout(() => this.beginCopy(), this.rule.afterMs);
  }

  /** Notes that a transaction has been committed. */
  committed(): void {
    if (this.emptying !== null) this.emptying = "now";
  }

  /** Resolves once a transaction may begin; undefined if it may at once. */
  ready(): Promise<void> | undefined {
    return this.pause;
  }

  /** Empties the log soon after the next commit: a copied log would keep what was erased until it is overwritten. */
  empty(): void {
    this.emptying ??= "after commit";
  }

  /** Starts no further checkpoint: it could copy a log that never reached the disk into the database file. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Waits for a running checkpoint and ends the thread. */
  async close(): Promise<void> {
    this.stop();
    await this.copying;
    await this.thread.close();
    closeSync(this.file);
  }

  private beginCopy(): void {
    this.timer = undefined;
    this.copying = this.copying.then(() => this.copyAll()).catch(this.on.fault);
  }

  /**
   * Copies the log while writes continue. SQLite restarts the log only once all of it is copied, which never happens
   * under constant writes. If the log is long, writes pause while the rest is copied.
   */
  private async copyAll(): Promise<void> {
    if (this.isStopped) return;
    if (this.emptying === "now") return this.emptyNow();
    if ((await this.copy()) < this.rule.longLog || this.isStopped) return;
    await this.copyPaused();
  }

  /** Empties the log. Tries again later if another connection is using it. */
  private async emptyNow(): Promise<void> {
    this.emptying = null;
    if ((await this.copyPaused(true)) >= 0 || this.isStopped) return;
    this.emptying = "now";
    this.timer ??= setTimeout(() => this.beginCopy(), this.rule.afterMs);
  }

  /** Copies while writes wait. */
  private async copyPaused(empties = false): Promise<number> {
    const copying = this.copy(empties);
    this.pause = copying.then(
      () => {},
      () => {},
    );
    try {
      return await copying;
    } finally {
      this.pause = undefined;
    }
  }

  /**
   * Runs one checkpoint. Returns the log length in pages, or -1 if it failed, if another process is running one, or if
   * others keep the log from being emptied.
   */
  private async copy(empties = false): Promise<number> {
    try {
      const outcome: Outcome = await this.thread.run({ path: this.path, empties });
      if ("pages" in outcome) return outcome.pages;
      throw Object.assign(new Error(outcome.error.message), { code: outcome.error.code });
    } catch (error) {
      if (!(error instanceof Error) || isStorageFault(error)) throw error;
      this.on.trouble(error);
      return -1;
    }
  }
}
