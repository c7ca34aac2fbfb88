// Backups of a database under write load, each restored elsewhere: nothing that was acknowledged may be missing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { sqlitePath } from "@/db/sqlite";
import { removeBackup } from "@/server/backup/files";
import { makeBackup } from "@/server/backup/make";
import { restoreBackup } from "@/server/backup/restore";
import { parseEnv } from "@/server/process/env";
import { createTestDatabase } from "./database";
import { idsIn } from "./sqlite-rows";

/** Writes in each round. They go on while the copy is made. */
const writeCount = 200;
/** Writes that a round's backup waits for. */
const firstWrites = 8;
/** Rounds on one database. The checks take longer the more it contains, and a new one is small. */
const roundsOnOne = 20;

interface BackupRound {
  /** Writes that were acknowledged before the backup began, and after the previous one began. */
  acknowledged: number;
  /** Acknowledged writes that are missing after the restore. */
  lost: string[];
  /** Writes that the backup has although they were acknowledged after it began. */
  meanwhile: number;
  copyMs: number;
  /** The checks and the proof of the ledger included. */
  restoreMs: number;
}

/**
 * Rounds of a backup and its restore, while several callers write in another process. Close them in `finally`. SQLite
 * only.
 */
export class BackupRounds {
  private readonly folder = mkdtempSync(path.join(tmpdir(), "quittance-backups-"));
  private writers: Writers | null = null;
  private count = 0;
  private known = 0;

  /** Rejects if the backup cannot be made or restored. */
  async next(): Promise<BackupRound> {
    if (this.count++ % roundsOnOne === 0) {
      await this.writers?.stop();
      this.writers = await startWriters(path.join(this.folder, `acknowledged-${this.count}`));
      this.known = 0;
    }
    if (this.writers === null) throw new Error("There are no writers.");
    const target = await createTestDatabase();
    try {
      return await this.round(this.writers, target.url);
    } finally {
      await target.drop();
    }
  }

  private async round(writers: Writers, target: string): Promise<BackupRound> {
    await writers.write();
    const before = writers.acknowledged();
    const acknowledged = before.length - this.known;
    this.known = before.length;
    const backup = await makeBackup(envOf(writers.url), this.folder, "manual", this.count * 1_000);
    const copiedAt = performance.now();
    await restoreBackup(envOf(target), backup.file, { keepSessions: false });
    const restoreMs = performance.now() - copiedAt;
    removeBackup(backup.file);
    const found = idsIn(sqlitePath(target), "transactions");
    const known = new Set(before);
    return {
      acknowledged,
      lost: before.filter((id) => !found.has(id)),
      meanwhile: [...found].filter((id) => !known.has(id)).length,
      copyMs: backup.copyMs,
      restoreMs,
    };
  }

  async close(): Promise<void> {
    await this.writers?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const envOf = (databaseUrl: string) =>
  parseEnv({
    DATABASE_URL: databaseUrl,
    DATA_DIR: path.dirname(sqlitePath(databaseUrl)),
    SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    LOG_LEVEL: "silent",
  });

type Writers = Awaited<ReturnType<typeof startWriters>>;

/** Starts the process that writes. `file` gets the ids of what was acknowledged. */
async function startWriters(file: string) {
  const child = spawn(process.execPath, ["--import", "tsx", "test/backup-writers.ts", file], {
    env: { ...process.env, DATABASE_URL: "file:unused" },
    // The end of its input, which comes with the end of this process, ends the writers.
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [url] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    ended.then(() => Promise.reject(new Error("The writers ended."))),
  ]);
  const acknowledged = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []);
  return {
    url: String(url),
    acknowledged,
    /** Lets them write as much as a round needs, and resolves after the first few. */
    async write() {
      const enough = acknowledged().length + firstWrites;
      child.stdin.write(`${writeCount}\n`);
      for (; acknowledged().length < enough; await sleep(5))
        if (child.exitCode !== null) throw new Error("They ended.");
    },
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(path.dirname(sqlitePath(String(url))), { recursive: true, force: true });
    },
  };
}
