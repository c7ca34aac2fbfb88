// Group commit on SQLite's only write connection: many transactions share a COMMIT, and each gets its own answer.
import { setTimeout as sleep } from "node:timers/promises";
import type { Database as Connection, Statement } from "better-sqlite3";
import { limits } from "../server/kit/limits";
import type { Tx } from "./client";
import { DatabaseUnavailable, engineCode, isStorageFault, isUnavailable } from "./errors";

/** Milliseconds after which no transaction joins a group. Nothing else runs until the group commits. */
const longestGroupMs = 5;

/** Milliseconds that a transaction waits for a write of another process before it fails. */
const longestWaitMs = 2_000;
const betweenTriesMs = 5;

interface Job {
  work: (tx: Tx) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  queuedAt: number;
  /** Set after its group failed: the job runs again, alone in its group. */
  isAlone: boolean;
}

type Result = { value: unknown } | { error: unknown };

/** What the log of the database offers to its writer. */
export interface Log {
  /** Resolves once a transaction may begin. */
  ready(): Promise<void> | undefined;
  /** Notes that a group has been committed. */
  committed(): void;
  /** Resolves once everything committed so far is on the disk. */
  sync(): Promise<void>;
}

/**
 * Runs queued transactions in groups: one BEGIN IMMEDIATE, a savepoint for each, one COMMIT, one sync, and only then
 * the answers, so no transaction is less durable. While a group is synced, the next one already runs; it is synced
 * afterwards. Waiting for the disk or for another writer never blocks the event loop: the connection must commit without
 * syncing and have no busy timeout.
 */
export class GroupCommit {
  private queue: Job[] = [];
  private running: Promise<void> | undefined;
  /** Resolves once all committed groups are synced and answered. Never rejects. */
  private syncing: Promise<void> = Promise.resolve();
  private blockedSince: number | undefined;
  private fault: Error | undefined;
  private hasEnded = false;
  private readonly statements: Record<"begin" | "commit" | "rollback" | "savepoint" | "release" | "undo", Statement>;

  /**
   * `onFault` is called once, when the file can no longer be trusted; every later write is refused. `onCommit` is called
   * with the size of each group and how long its sync took.
   */
  constructor(
    private readonly connection: Connection,
    private readonly tx: Tx,
    private readonly log: Log,
    private readonly onFault: (error: Error) => void,
    private readonly onCommit: (transactions: number, syncMs: number) => void = () => {},
  ) {
    this.statements = {
      begin: connection.prepare("BEGIN IMMEDIATE"),
      commit: connection.prepare("COMMIT"),
      rollback: connection.prepare("ROLLBACK"),
      savepoint: connection.prepare("SAVEPOINT item"),
      release: connection.prepare("RELEASE item"),
      undo: connection.prepare("ROLLBACK TO item"),
    };
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const refusal = this.fault ?? (this.hasEnded ? new Error("The database is being closed.") : undefined);
    if (refusal) return Promise.reject(new DatabaseUnavailable(refusal));
    return new Promise<T>((resolve, reject) => {
      const job = { work, resolve: resolve as (value: unknown) => void, reject, isAlone: false };
      this.queue.push({ ...job, queuedAt: performance.now() });
      this.running ??= this.drain();
    });
  }

  /** Refuses new writes and resolves once all earlier ones are answered. */
  async end(): Promise<void> {
    this.hasEnded = true;
    while (this.running) await this.running;
    await this.syncing;
  }

  /** Whether writing has stopped permanently. */
  get isStopped(): boolean {
    return this.fault !== undefined;
  }

  /** The one connection, and the transactions that wait for it. */
  get use(): { inUse: number; idle: number; waiting: number } {
    const inUse = this.running === undefined ? 0 : 1;
    return { inUse, idle: 1 - inUse, waiting: this.queue.length };
  }

  /** Stops all writing permanently, after an error that may have damaged the file. */
  stop(error: Error): void {
    if (this.fault) return;
    this.fault = error;
    this.onFault(error);
  }

  private async drain(): Promise<void> {
    try {
      // Everything that arrives in this turn of the event loop joins the group.
      await nextTurn();
      while (this.queue.length > 0) {
        await this.log.ready();
        if (this.begin()) await this.runGroup();
        else await this.waitForOtherWriter();
        // Two turns, so that reads get as much time as writes: the first only takes in what arrived during the group.
        await nextTurn();
        await nextTurn();
      }
    } catch (error) {
      this.noteFault(error);
      refuse(this.queue.splice(0), new DatabaseUnavailable(error));
    } finally {
      this.running = undefined;
    }
  }

  /** Opens a transaction; false while another process has one. Other errors fail the queue; the next write retries. */
  private begin(): boolean {
    if (this.fault) throw this.fault;
    try {
      this.statements.begin.run();
      this.blockedSince = undefined;
      return true;
    } catch (error) {
      if (engineCode(error)?.startsWith("SQLITE_BUSY")) return false;
      // While a transaction is open, every BEGIN fails.
      this.rollBack();
      throw error;
    }
  }

  /** Fails the transactions that have waited too long, and pauses before the next try. */
  private async waitForOtherWriter(): Promise<void> {
    const now = performance.now();
    const blockedSince = this.blockedSince ?? now;
    this.blockedSince = blockedSince;
    const isOverdue = ({ queuedAt }: Job) => now - Math.max(queuedAt, blockedSince) >= longestWaitMs;
    const overdue = this.queue.filter(isOverdue);
    this.queue = this.queue.filter((job) => !isOverdue(job));
    refuse(overdue, new DatabaseUnavailable(new Error("Another process is writing to the database.")));
    if (this.queue.length > 0) await sleep(betweenTriesMs);
  }

  /** Runs the next transactions and commits them together. Jobs that must run alone come first, one at a time. */
  private async runGroup(): Promise<void> {
    const jobs: Job[] = [];
    const results: Result[] = [];
    const endsAt = performance.now() + longestGroupMs;
    try {
      do {
        const job = this.queue.shift();
        if (!job) break;
        jobs.push(job);
        results.push(await this.runOne(job));
        if (job.isAlone) break;
      } while (jobs.length < limits.batch.commit && performance.now() < endsAt);
      this.statements.commit.run();
    } catch (error) {
      this.failGroup(jobs, error);
      return;
    }
    this.log.committed();
    // A sync that began before this COMMIT says nothing about this group, so the group gets one of its own. No third group
    // runs before the earlier sync ends: a fault of the disk would put it in doubt as well.
    const earlier = this.syncing;
    this.syncing = earlier.then(() => this.syncAndAnswer(jobs, results));
    await earlier;
  }

  /** Answers a committed group once it is on the disk. Never rejects. */
  private async syncAndAnswer(jobs: readonly Job[], results: readonly Result[]): Promise<void> {
    const committedAt = performance.now();
    try {
      // After a fault, nobody knows what is on the disk.
      if (this.fault) throw this.fault;
      await this.log.sync();
    } catch (error) {
      this.stop(error instanceof Error ? error : new Error(String(error)));
      refuse(jobs, new DatabaseUnavailable(error));
      return;
    }
    this.onCommit(jobs.length, performance.now() - committedAt);
    jobs.forEach((job, i) => {
      const result = results[i];
      if (result && "value" in result) job.resolve(result.value);
      else job.reject(result?.error);
    });
  }

  /**
   * Handles a group that failed as a whole: nothing was written. The jobs run again one by one, so that only those at
   * fault fail.
   */
  private failGroup(jobs: Job[], error: unknown): void {
    this.noteFault(error);
    this.rollBack();
    if (!jobs[0]?.isAlone && !this.fault) this.queue.unshift(...jobs.map((job) => ({ ...job, isAlone: true })));
    else refuse(jobs, this.fault || isUnavailable(error) ? new DatabaseUnavailable(error) : error);
  }

  private rollBack(): void {
    try {
      if (this.connection.inTransaction) this.statements.rollback.run();
    } catch (failure) {
      // The connection is stuck in a transaction that can neither commit nor roll back.
      this.stop(failure instanceof Error ? failure : new Error(String(failure)));
    }
  }

  private noteFault(error: unknown): void {
    if (error instanceof Error && isStorageFault(error)) this.stop(error);
  }

  private async runOne(job: Job): Promise<Result> {
    this.statements.savepoint.run();
    try {
      const value = await job.work(this.tx);
      this.statements.release.run();
      return { value };
    } catch (error) {
      // A full disk or a read error may have rolled back the whole transaction. Then the group is lost.
      if (!this.connection.inTransaction || isUnavailable(error)) throw error;
      this.statements.undo.run();
      this.statements.release.run();
      return { error };
    }
  }
}

const nextTurn = () => new Promise((resume) => setImmediate(resume));

function refuse(jobs: readonly Job[], error: unknown): void {
  for (const job of jobs) job.reject(error);
}
