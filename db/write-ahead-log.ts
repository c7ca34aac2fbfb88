// SQLite's write-ahead log: threads sync it and copy it into the database file, so that the event loop waits for no disk.
import { closeSync, fdatasync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Piscina } from "piscina";
import { isStorageFault } from "./errors";

const syncFile = promisify(fdatasync);

/** Milliseconds from a commit to the checkpoint, and the pages from which on writing pauses until the log is copied. */
export interface CheckpointRule {
  afterMs: number;
  longLog: number;
}
const usual: CheckpointRule = { afterMs: 1_000, longLog: 4_000 };

/** Called when a checkpoint fails. */
export interface OnError {
  /** The log or the database file could not be read or written, and can no longer be trusted. */
  fault(error: Error): void;
  /** Anything else, such as a full disk or a thread that could not start: the next checkpoint makes up for it. */
  trouble(error: Error): void;
}

type Outcome = { pages: number } | { error: { code?: string; message: string } };

/**
 * The log of one database. Its writer commits with `synchronous=NORMAL`, which only hands the log to the system, and
 * calls {@link sync} before it answers. Left to SQLite, both the wait for the disk and the checkpoints would stop the
 * event loop.
 */
export class WriteAheadLog {
  private readonly file: number;
  private readonly thread: Piscina;
  private timer: NodeJS.Timeout | undefined;
  private copying: Promise<void> = Promise.resolve();
  /** Resolves when writing may go on. */
  private pause: Promise<void> | undefined;
  private isStopped = false;

  constructor(
    private readonly path: string,
    private readonly on: OnError,
    private readonly rule = usual,
  ) {
    // SQLite follows symbolic links before it names the log: beside a link there is none, or a stranger's.
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
   * Resolves once all that was committed is on the disk. Rejects with the system's error; what the disk holds is then
   * unknown, and trying again would not tell, since the system forgets what it could not write.
   */
  async sync(): Promise<void> {
    await syncFile(this.file);
    if (!this.isStopped) this.timer ??= setTimeout(() => this.beginCopy(), this.rule.afterMs);
    await this.pause;
  }

  /** Begins no further checkpoint: it would copy what the disk may not have, unchecked, into the database file. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Ends the thread; a checkpoint that runs is finished. */
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
   * Copies the log while writing goes on. SQLite reuses the log from its start only once all of it is copied, which under
   * steady writes would never happen. If the log is long, writing pauses while what was added meanwhile is copied.
   */
  private async copyAll(): Promise<void> {
    if (this.isStopped || (await this.copy()) < this.rule.longLog || this.isStopped) return;
    const copying = this.copy();
    this.pause = copying.then(
      () => {},
      () => {},
    );
    try {
      await copying;
    } finally {
      this.pause = undefined;
    }
  }

  /** One checkpoint; gives the length of the log in pages, or -1 if it failed or another process is making one. */
  private async copy(): Promise<number> {
    try {
      const outcome: Outcome = await this.thread.run(this.path);
      if ("pages" in outcome) return outcome.pages;
      throw Object.assign(new Error(outcome.error.message), { code: outcome.error.code });
    } catch (error) {
      if (!(error instanceof Error) || isStorageFault(error)) throw error;
      this.on.trouble(error);
      return -1;
    }
  }
}
