// SQLite: one writer with group commit, one read-only reader, full durability.
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import BetterSqlite, { type Database as Connection, type Statement } from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { Database, Reader, Tx } from "./client";
import { DatabaseUnavailable, isUnavailable } from "./errors";

/** Transactions that share one COMMIT at most; more would make the first of them wait too long. */
const largestGroup = 64;

/** The path in a `file:` URL. */
export const sqlitePath = (url: string): string => url.replace(/^file:(\/\/)?/, "");

/** Opens a connection with the settings that durability rests on, and reads them back. */
export function connectSqlite(path: string, readonly = false): Connection {
  if (!readonly && !existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
  const connection = new BetterSqlite(path, { readonly, timeout: 2000 });
  if (!readonly) connection.pragma("journal_mode = WAL");
  // Reopening a WAL file falls back to NORMAL, which loses acknowledged commits at power loss: set it on every open.
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  connection.pragma("trusted_schema = OFF");
  const settings = [
    connection.pragma("synchronous", { simple: true }),
    connection.pragma("foreign_keys", { simple: true }),
  ];
  if (settings[0] !== 2 || settings[1] !== 1) throw new Error("SQLite refused synchronous=FULL or foreign_keys=ON.");
  return connection;
}

export function openSqlite(url: string): Database {
  const path = sqlitePath(url);
  const writer = connectSqlite(path);
  // What a savepoint needs to be undone: beyond 64 KiB it would go to a temporary file, in each transaction.
  writer.pragma("temp_store = MEMORY");
  const reader = connectSqlite(path, true);
  const group = new GroupCommit(writer, drizzle(writer) as unknown as Tx);
  let savepoints = 0;
  return {
    read: drizzle(reader) as unknown as Reader,
    write: (work) => group.write(work),
    async savepoint(_tx, work) {
      const name = `inner_${++savepoints}`;
      writer.exec(`SAVEPOINT ${name}`);
      try {
        const value = await work();
        writer.exec(`RELEASE ${name}`);
        return value;
      } catch (error) {
        if (writer.inTransaction) writer.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
        throw error;
      } finally {
        savepoints--;
      }
    },
    // One writer runs one transaction at a time, so a name is always free.
    tryLockName: async () => true,
    async ping() {
      reader.prepare("select 1").get();
    },
    async close() {
      await group.idle();
      reader.close();
      writer.close();
    },
  };
}

interface Job {
  work: (tx: Tx) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

type Result = { value: unknown } | { error: unknown };

/**
 * Runs queued transactions in groups: one BEGIN IMMEDIATE, a savepoint for each, one COMMIT, and only then the answers.
 * The disk is waited for once per group, and no transaction is less durable for it.
 */
class GroupCommit {
  private queue: Job[] = [];
  private running: Promise<void> | undefined;
  private readonly statements: Record<"begin" | "commit" | "rollback" | "savepoint" | "release" | "undo", Statement>;

  constructor(
    private readonly connection: Connection,
    private readonly tx: Tx,
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
    return new Promise<T>((resolve, reject) => {
      this.queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.running ??= this.drain();
    });
  }

  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private async drain(): Promise<void> {
    // Everything that arrives in this turn of the event loop joins the group.
    await new Promise((resume) => setImmediate(resume));
    while (this.queue.length > 0) {
      await this.commitGroup(this.queue.splice(0, largestGroup));
      await new Promise((resume) => setImmediate(resume));
    }
    this.running = undefined;
  }

  private async commitGroup(jobs: Job[]): Promise<void> {
    const results: Result[] = [];
    try {
      this.statements.begin.run();
      for (const job of jobs) results.push(await this.runOne(job));
      this.statements.commit.run();
    } catch (error) {
      if (this.connection.inTransaction) this.statements.rollback.run();
      // Nothing of the group happened. Alone, those that were not the cause get through.
      if (jobs.length > 1) for (const job of jobs) await this.commitGroup([job]);
      else jobs[0]?.reject(isUnavailable(error) ? new DatabaseUnavailable(error) : error);
      return;
    }
    jobs.forEach((job, i) => {
      const result = results[i];
      if (result && "value" in result) job.resolve(result.value);
      else job.reject(result?.error);
    });
  }

  private async runOne(job: Job): Promise<Result> {
    this.statements.savepoint.run();
    try {
      const value = await job.work(this.tx);
      this.statements.release.run();
      return { value };
    } catch (error) {
      // A full disk or a read error may have rolled back the whole transaction: then the group is lost.
      if (!this.connection.inTransaction || isUnavailable(error)) throw error;
      this.statements.undo.run();
      this.statements.release.run();
      return { error };
    }
  }
}
