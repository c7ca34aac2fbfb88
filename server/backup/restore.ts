// Restores a backup of the SQLite file: checks a copy of it, prepares the copy to serve, and puts it in place at once.
import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseInUse, lockDatabase } from "@/db/process-lock";
import { closeLog, FileInUse, ReplacementUnfinished, replaceDatabase } from "@/db/replace-file";
import { databaseFile } from "@/db/sqlite";
import "@/server/domains/steps";
import { recordRestore } from "@/server/domains/restores/after-restore";
import { machine } from "@/server/process/clock";
import { CommandError } from "@/server/process/command-error";
import type { Env } from "@/server/process/env";
import { openRuntime } from "@/server/process/runtime";
import { existingServerKeys } from "@/server/process/server-key";
import { expectUsable, expectWhole, noteProof, type Proved, proveLedger, UnsoundLedger } from "./check";
import { hasItsChecksum, stampOf } from "./files";

export interface RestoreOptions {
  /** Keeps sessions and reset links, if nothing has happened since the backup. */
  keepSessions: boolean;
  /** Whether to restore even a backup whose ledger is not sound. */
  unproved?: boolean;
}

interface Restored {
  proof: Proved | UnsoundLedger;
  database: string;
  /** Where the database is that was replaced; null if there was none. */
  replaced: string | null;
  endedSessions: number;
  isMigrated: boolean;
}

/**
 * Replaces the database by the backup `file`. Throws CommandError with a reason for the operator, and then the database
 * is unchanged; the same is true if the process dies before the replacement.
 */
export async function restoreBackup(
  env: Env,
  file: string,
  { report, ...options }: RestoreOptions & { report?: (sentence: string) => void },
): Promise<Restored> {
  expectBackup(file);
  existingServerKeys(env);
  const database = databaseFile(env.databaseUrl);
  if (existsSync(database) && databaseFile(`file:${file}`) === database) {
    throw new CommandError(`${file} is the database itself.`);
  }
  const unlock = await lockForRestore(env.databaseUrl, report);
  const folder = `${database}-restoring`;
  try {
    // A restore that was killed has left it.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const draft = path.join(folder, "copy.db");
    copyFileSync(file, draft, constants.COPYFILE_EXCL);
    chmodSync(draft, 0o600);
    if ((await hasItsChecksum(file, draft)) === false) {
      throw new CommandError(`${file} is damaged: it does not have the checksum that is beside it.`);
    }
    const prepared = await prepare(env, draft, { ...options, name: file });
    const replaced = await replaceDatabase(database, { replacement: draft, stamp: stampOf(machine.wall()), report });
    // What was found in the backup is true of the database now.
    noteProof(env)({ rows: !(prepared.proof instanceof UnsoundLedger) });
    return { ...prepared, database, replaced };
  } catch (error) {
    if (error instanceof FileInUse) throw inUse(database);
    if (error instanceof ReplacementUnfinished) throw unfinished(file, error);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    unlock();
  }
}

/** Checks the draft, migrates it as a start would, and records in it that it was restored. */
async function prepare(env: Env, draft: string, { name, ...options }: RestoreOptions & { name: string }) {
  expectWhole(draft, name);
  const isMigrated = expectUsable(draft, name) === "older";
  const runtime = await openRuntime({ ...env, databaseUrl: `file:${draft}` });
  try {
    const proving = proveLedger(env, draft, isMigrated ? `${name}, migrated to this version,` : name);
    const proof = await proving.catch((error: unknown) => acceptUnsound(error, options));
    const fault = proof instanceof UnsoundLedger ? proof.message : null;
    const restored = { backup: path.basename(name), keepSessions: options.keepSessions, fault };
    return { proof, endedSessions: await recordRestore(runtime, restored), isMigrated };
  } finally {
    await runtime.close();
    closeLog(draft);
  }
}

function acceptUnsound(error: unknown, { unproved }: RestoreOptions): UnsoundLedger {
  if (!(error instanceof UnsoundLedger)) throw error;
  if (unproved) return error;
  throw new CommandError(`${error.message}\nNothing was changed. --unproved restores it all the same.`, {
    cause: error,
  });
}

function expectBackup(file: string): void {
  if (!existsSync(file) || !statSync(file).isFile()) throw new CommandError(`There is no file ${file}.`);
  const log = [`${file}-wal`, `${file}-journal`].find((each) => existsSync(each) && statSync(each).size > 0);
  if (log === undefined) return;
  throw new CommandError(`${file} is not a whole backup: ${log} holds part of it. Restore a file made by \`backup\`.`);
}

async function lockForRestore(databaseUrl: string, report?: (sentence: string) => void): Promise<() => void> {
  try {
    return await lockDatabase(databaseUrl, report);
  } catch (error) {
    throw error instanceof DatabaseInUse ? inUse(error.path) : error;
  }
}

const unfinished = (file: string, { cause }: ReplacementUnfinished): CommandError =>
  new CommandError(
    `${file} has passed its checks and will become the database, but could not be put in its place yet: ` +
      `${cause instanceof Error ? cause.message : cause}.\nFix the cause. The next start of the server finishes the restore; ` +
      "the database that it replaces is kept.",
    { cause },
  );

const inUse = (database: string): CommandError =>
  new CommandError(
    `Another process is using ${database}. Stop the server, separate workers and other commands first; nothing was changed.`,
  );
