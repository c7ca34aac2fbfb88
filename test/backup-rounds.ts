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

export interface BackupRounds {
  rounds: number;
  /** Backups that were made and restored, which includes their checks and the proof of the ledger. */
  restored: number;
  /** Why the others were not. */
  failures: string[];
  /** Writes that were acknowledged before the last backup began. */
  acknowledged: number;
  /** Writes that were acknowledged before a backup began and are missing after its restore. */
  lost: number;
  longestCopyMs: number;
  longestRestoreMs: number;
}

/** Makes and restores `rounds` backups, while several callers write in another process. SQLite only. */
export async function backUpAndRestore(rounds: number): Promise<BackupRounds> {
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-backups-"));
  const counts = { restored: 0, acknowledged: 0, lost: 0, longestCopyMs: 0, longestRestoreMs: 0 };
  const result: BackupRounds = { rounds, failures: [], ...counts };
  const writers = await startWriters(path.join(folder, "acknowledged"));
  try {
    for (let round = 1; round <= rounds; round++) {
      await writers.some();
      const target = await createTestDatabase();
      const now = round * 1_000;
      await oneRound({ writers, folder, now, target: target.url }, result).catch((error: unknown) =>
        result.failures.push(String(error)),
      );
      await target.drop();
    }
    return result;
  } finally {
    await writers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Round {
  writers: Awaited<ReturnType<typeof startWriters>>;
  folder: string;
  now: number;
  target: string;
}

async function oneRound({ writers, folder, now, target }: Round, result: BackupRounds): Promise<void> {
  const acknowledged = writers.acknowledged();
  result.acknowledged = acknowledged.length;
  const backup = await makeBackup(envOf(writers.url), folder, "manual", now);
  const copiedAt = performance.now();
  await restoreBackup(envOf(target), backup.file, { keepSessions: false });
  const found = idsIn(sqlitePath(target), "transactions");
  result.restored++;
  result.lost += acknowledged.filter((id) => !found.has(id)).length;
  result.longestCopyMs = Math.max(result.longestCopyMs, backup.copyMs);
  result.longestRestoreMs = Math.max(result.longestRestoreMs, performance.now() - copiedAt);
  removeBackup(backup.file);
}

const envOf = (databaseUrl: string) =>
  parseEnv({
    DATABASE_URL: databaseUrl,
    DATA_DIR: path.dirname(sqlitePath(databaseUrl)),
    SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    LOG_LEVEL: "silent",
  });

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
  let known = 0;
  return {
    url: String(url),
    acknowledged,
    /** Resolves once more was acknowledged than at the last call. */
    async some() {
      for (; acknowledged().length <= known; await sleep(20))
        if (child.exitCode !== null) throw new Error("They ended.");
      known = acknowledged().length;
    },
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(path.dirname(sqlitePath(String(url))), { recursive: true, force: true });
    },
  };
}
