// The command line's backup commands: what they do, and what they tell the operator.
import { statSync } from "node:fs";
import path from "node:path";
import { finishInterruptedRestore } from "@/db/replace-file";
import { databaseFile } from "@/db/sqlite";
import { noteBackup } from "@/server/domains/instance/backup-note";
import { recordRestore } from "@/server/domains/restores/after-restore";
import { iso, machine } from "@/server/process/clock";
import { CommandError } from "@/server/process/command-error";
import type { Env } from "@/server/process/env";
import type { Runtime } from "@/server/process/runtime";
import { type Proved, UnsoundLedger } from "./check";
import { notRemoved, removeOldDaily } from "./files";
import { makeBackup } from "./make";
import { type RestoreOptions, restoreBackup } from "./restore";

/** Receives a sentence for the operator if a command waits for long. */
type Report = (sentence: string) => void;

/** Makes a backup in `folder`. Returns what to print. */
export async function backUp(env: Env, folder: string, report?: Report): Promise<string[]> {
  expectSqlite(env, "backed up");
  await finishInterruptedRestore(databaseFile(env.databaseUrl), report);
  return describe(await makeBackup(env, folder, "manual", machine.wall()));
}

/**
 * Makes the daily backup in BACKUP_DIR and removes those beyond BACKUP_KEEP. Returns what to print. Once the backup is
 * made, nothing makes it fail.
 */
export async function backUpDaily(env: Env): Promise<string[]> {
  expectSqlite(env, "backed up");
  if (env.backupDir === null) throw new CommandError("BACKUP_DIR is not set, so there are no daily backups.");
  const backup = await makeBackup(env, env.backupDir, "daily", machine.wall());
  const files = { newest: backup.file, database: databaseFile(env.databaseUrl) };
  return [...describe(backup), ...removeOld(env.backupDir, { ...files, keep: env.backupKeep })];
}

function removeOld(folder: string, files: Parameters<typeof removeOldDaily>[1]): string[] {
  const problems: string[] = [];
  const failed = (name: string, error: unknown) => {
    problems.push(`${notRemoved}${name}: ${error instanceof Error ? error.message : error}`);
  };
  try {
    const removed = removeOldDaily(folder, files, failed);
    return [...removed.map((name) => `Removed: ${name}`), ...problems];
  } catch (error) {
    failed(folder, error);
    return problems;
  }
}

/** Replaces the database by a backup. Returns what to print. */
export async function restore(env: Env, file: string, options: RestoreOptions, report?: Report): Promise<string[]> {
  expectSqlite(env, "restored");
  const restored = await restoreBackup(env, file, { ...options, report });
  const { database, replaced, endedSessions, isMigrated, proof } = restored;
  return [
    `Restored: ${database} is now ${file}${isMigrated ? ", migrated to this version" : ""}.`,
    replaced === null ? "There was no database before." : `The database that it replaced: ${replaced}`,
    ...(proof instanceof UnsoundLedger ? [`WARNING: ${proof.message}`, restoredUnproved] : proofOf(proof)),
    afterwards(endedSessions, options.keepSessions),
    "Next: start the server. docs/operating.md says what to check after going back in time.",
  ];
}

const restoredUnproved =
  "It was restored because of --unproved. The audit log of every organization says so. Find out what is wrong before money moves.";

/** What the operator must confirm before {@link noteRestored} ends all sessions. */
export function questionOfRestored({ databaseUrl }: Env): string {
  const { host, pathname } = new URL(databaseUrl);
  const database = databaseUrl.startsWith("file:") ? databaseFile(databaseUrl) : `${host}${pathname}`;
  return (
    `This ends all sessions in ${database}, voids the links mailed to users and all open invitations, and holds queued mails.\n` +
    "Do this only right after restoring the database from a backup, before it serves anyone."
  );
}

export const notConfirmed = "Not confirmed: nothing was changed. Answer on a terminal, or confirm with --yes.";

/** Records that the database of either engine was restored by other tools. Returns what to print. */
export async function noteRestored(
  runtime: Runtime,
  backup: string,
  { keepSessions }: Pick<RestoreOptions, "keepSessions">,
): Promise<string[]> {
  return [afterwards(await recordRestore(runtime, { backup, keepSessions }), keepSessions)];
}

const afterwards = (endedSessions: number, keepSessions: boolean): string =>
  keepSessions
    ? "Sessions that were open at the time of the backup are open again."
    : `${endedSessions} sessions were ended: users sign in again.`;

/**
 * Notes a backup of PostgreSQL that its own tools have made, for /metrics and the dashboard. Returns what to print.
 */
export function noteDump(env: Env, file: string): string[] {
  if (env.databaseUrl.startsWith("file:")) {
    throw new CommandError("This is for PostgreSQL: the command backup notes its backups of SQLite itself.");
  }
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new CommandError(`There is no file ${file}.`);
  // It has what was acknowledged before it was begun. File systems that do not know when that was know its last change.
  const at = Math.floor(Math.min(found.birthtimeMs || found.mtimeMs, found.mtimeMs));
  noteBackup(env, { at, bytes: found.size, file: path.resolve(file), isProved: false });
  return [`Noted: ${file}, begun ${iso(at)} (${found.size.toLocaleString("en")} bytes)`];
}

function describe({ file, bytes, copyMs, checkMs, ...proved }: Awaited<ReturnType<typeof makeBackup>>): string[] {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return [
    `Backup: ${file} (${bytes.toLocaleString("en")} bytes, copied in ${seconds(copyMs)}, checked in ${seconds(checkMs)})`,
    ...proofOf(proved),
  ];
}

function proofOf({ counts, newest }: Proved): string[] {
  const sound = `Its ledger is sound: ${counts.postings} postings, ${counts.transactions} transactions, ${counts.payments} payment requests.`;
  const { checkpoint, seal } = newest;
  return [
    sound,
    ...(checkpoint ? [`Its latest signed checkpoint: ${checkpoint.number}:${checkpoint.signature}`] : []),
    ...(seal ? [`Its latest seal of the audit log: ${seal.number}:${seal.signature}`] : []),
  ];
}

function expectSqlite({ databaseUrl }: Env, done: string): void {
  if (databaseUrl.startsWith("file:")) return;
  throw new CommandError(
    `PostgreSQL is ${done} with its own tools: pg_dump and pg_restore, or base backups with point-in-time recovery.\n` +
      "docs/operating.md has the commands. Keep SECRET_KEY with the backup, and prove a restored database with\n" +
      "npm run verify:ledger before you use it.",
  );
}
