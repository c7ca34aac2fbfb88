// Makes a backup of the SQLite file, whether or not a server is using it, and checks it before giving it its name.
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import { copySqlite, sizeOf } from "@/db/copy-sqlite";
import { renameDurably, syncToDisk } from "@/db/durable-files";
import { engineCode } from "@/db/errors";
import { lockFile } from "@/db/file-lock";
import { finishInterruptedRestore } from "@/db/replace-file";
import { databaseFile } from "@/db/sqlite";
import { noteBackup } from "@/server/domains/instance/backup-note";
import { limits } from "@/server/kit/limits";
import { CommandError } from "@/server/process/command-error";
import type { Env } from "@/server/process/env";
import { expectUsable, expectWhole, noteProof, type Proved, proveLedger, UnsoundLedger } from "./check";
import { databaseIdOf } from "./database-id";
import {
  type BackupKind,
  nameOf,
  removeDraft,
  removeOldUnsound,
  removeUnfinished,
  unfinished,
  unsoundOf,
  writeChecksum,
} from "./files";

type BackupEnv = Pick<Env, "databaseUrl" | "dataDir" | "secretKeys" | "retiredKeys" | "lostKeys">;

interface Backup extends Proved {
  file: string;
  bytes: number;
  /** How long the copy took. Meanwhile the write-ahead log could only grow. */
  copyMs: number;
  /** How long the checks of the copy took. */
  checkMs: number;
}

/**
 * Copies the database into a new file in `folder`, checks the copy and proves its ledger, and resolves once the file
 * has its name and is on the disk. The file contains every write that was acknowledged before the call. Throws
 * CommandError with a reason for the operator, and then leaves no file, except a copy with another name if its ledger
 * is not sound. Blocks this thread for seconds: use a process of its own.
 */
export async function makeBackup(env: BackupEnv, folder: string, kind: BackupKind, now: number): Promise<Backup> {
  const source = databaseFile(env.databaseUrl);
  await finishInterruptedRestore(source);
  if (!existsSync(source)) throw new CommandError(`There is no database at ${source}.`);
  const unlock = lockFile(`${source}-backup`, 0);
  if (!unlock) throw new CommandError("Another backup of this database is running.");
  try {
    const id = databaseIdOf(source);
    prepareFolder(folder, source, id);
    const backup = await makeFile(env, source, path.join(folder, nameOf(kind, now, id)));
    noteMade(env, backup, now);
    return backup;
  } catch (error) {
    throw explained(error, folder);
  } finally {
    unlock();
  }
}

/** Notes the backup. If it cannot, the last note grows old, which raises the alarm. */
function noteMade(env: BackupEnv, { file, bytes }: Backup, at: number): void {
  try {
    noteBackup(env, { at, bytes, file: path.resolve(file), isProved: true });
  } catch {
    // The backup is good even if its note cannot be written.
  }
}

async function makeFile(env: BackupEnv, source: string, file: string): Promise<Backup> {
  if (existsSync(file)) throw new CommandError(`${file} already exists.`);
  const draft = unfinished(file);
  closeSync(openSync(draft, "wx", 0o600));
  try {
    // The copy's ledger is the database's, so its proof counts for /metrics.
    const note = noteProof(env);
    const startedAt = performance.now();
    copySqlite(source, draft);
    syncToDisk(draft);
    const copiedAt = performance.now();
    const proved = await checked(env, draft, note);
    await writeChecksum(file, draft);
    renameDurably(draft, file);
    const times = { copyMs: copiedAt - startedAt, checkMs: performance.now() - copiedAt };
    return { ...proved, ...times, file, bytes: statSync(file).size };
  } catch (error) {
    throw error instanceof UnsoundLedger ? await keptUnsound(error, file) : error;
  } finally {
    removeDraft(file);
  }
}

/**
 * Keeps the draft of the backup `file` under another name: once the ledger is found wrong, there will be no better copy
 * until it is repaired. Returns the error that says so.
 */
async function keptUnsound(cause: UnsoundLedger, file: string): Promise<CommandError> {
  const kept = unsoundOf(file);
  await writeChecksum(kept, unfinished(file));
  renameDurably(unfinished(file), kept);
  removeOldUnsound(kept, limits.unsoundCopies);
  return new CommandError(`${cause.message}\nThe copy is kept, but is no backup: ${kept}`, { cause });
}

async function checked(env: BackupEnv, draft: string, note: ReturnType<typeof noteProof>): Promise<Proved> {
  expectWhole(draft, "The copy");
  if (expectUsable(draft, "The database") === "older") {
    throw new CommandError(
      "The database is of an earlier version of Quittance. Make the backup with that version, before the upgrade.",
    );
  }
  return proveLedger(env, draft, "the copy", note);
}

/**
 * Creates the folder if only its last part is missing: a whole missing path is more likely a disk that is not mounted.
 */
function prepareFolder(folder: string, source: string, id: string): void {
  if (!existsSync(folder)) {
    if (lstatSync(folder, { throwIfNoEntry: false })) {
      throw new CommandError(`No backup could be written to ${folder}: it is a link to a folder that does not exist.`);
    }
    mkdirSync(folder, { mode: 0o700 });
  }
  removeUnfinished(folder, id);
  const { bavail, bsize } = statfsSync(folder);
  const [has, needs] = [bavail * bsize, sizeOf(source) + limits.backupSpareBytes];
  if (has >= needs) return;
  const inMiB = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)} MiB`;
  throw new CommandError(`The disk of ${folder} has ${inMiB(has)} free, and a backup may need ${inMiB(needs)}.`);
}

const reasons: Record<string, string> = {
  ENOENT: "its parent folder does not exist",
  ENOTDIR: "it is not a folder",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EEXIST: "a backup with this name is being made or was just made",
  SQLITE_FULL: "the disk is full",
  SQLITE_IOERR_WRITE: "the disk took no more data",
};

/** An error of the folder or disk in the operator's terms. Others are returned unchanged. */
function explained(error: unknown, folder: string): unknown {
  if (error instanceof Error && /^SQLITE_(CORRUPT|NOTADB)/.test(engineCode(error) ?? "")) {
    return new CommandError(`The database itself is damaged: ${error.message}. No backup was made.`, { cause: error });
  }
  const reason = reasons[engineCode(error) ?? ""];
  return reason === undefined
    ? error
    : new CommandError(`No backup could be written to ${folder}: ${reason}.`, { cause: error });
}
