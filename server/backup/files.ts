// The files in a backup folder: their names and checksums, and which of them retention removes.
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { syncToDisk } from "@/db/durable-files";
import { iso } from "@/server/process/clock";
import { idPattern } from "./database-id";

/** Daily backups are removed when newer ones suffice. Others are the operator's. */
export type BackupKind = "daily" | "manual";

const stamped = `(\\d{8}T\\d{6}Z)-(${idPattern})`;
const dailyName = new RegExp(`^quittance-daily-${stamped}\\.db$`);
const unsoundName = new RegExp(`^quittance-(?:daily-)?${stamped}-UNSOUND\\.db$`);
const unfinishedName = new RegExp(`^(quittance-(?:daily-)?${stamped}\\.db)\\.partial(-journal)?$`);

/** Begins a line of the backup command about an old backup that could not be removed. */
export const notRemoved = "Not removed: ";

/** The instant as part of a file name, such as 20261122T163000Z. */
export const stampOf = (at: number): string => iso(at).replace(/[-:]|\.\d+/g, "");

/**
 * The name of a backup of the database with this identifier, begun at an instant (epoch ms), such as
 * quittance-20261122T163000Z-0badcafe.db.
 */
export const nameOf = (kind: BackupKind, at: number, id: string): string =>
  `quittance-${kind === "daily" ? "daily-" : ""}${stampOf(at)}-${id}.db`;

/** The instant and the database's identifier in a file name. */
const partsOf = (name: string): { stamp: string; id: string } => {
  const [, stamp = "", id = ""] = new RegExp(stamped).exec(name) ?? [];
  return { stamp, id };
};

/** The name of the copy that is kept instead of the backup `file` if its ledger is not sound. */
export const unsoundOf = (file: string): string => file.replace(/\.db$/, "-UNSOUND.db");

/** The name of a backup that is not finished and not checked. */
export const unfinished = (file: string): string => `${file}.partial`;

const checksumFile = (file: string): string => `${file}.sha256`;

/** Writes the checksum of the draft beside `file`, the backup's final name, in the format of sha256sum. */
export async function writeChecksum(file: string, draft: string): Promise<void> {
  writeFileSync(checksumFile(file), `${await sha256Of(draft)}  ${path.basename(file)}\n`, { mode: 0o600 });
  syncToDisk(checksumFile(file));
}

/** Whether `copy` has the checksum beside the backup `file`; null if there is none. */
export async function hasItsChecksum(file: string, copy: string): Promise<boolean | null> {
  if (!existsSync(checksumFile(file))) return null;
  return readFileSync(checksumFile(file), "utf8").split(" ")[0] === (await sha256Of(copy));
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/**
 * Removes what killed backups of the database with this identifier have left. Only one runs at a time.
 */
export function removeUnfinished(folder: string, id: string): void {
  for (const name of readdirSync(folder)) {
    const [draft, file] = unfinishedName.exec(name) ?? [];
    if (draft === undefined || file === undefined || partsOf(file).id !== id) continue;
    removeChecksumOfNone(path.join(folder, file));
    rmSync(path.join(folder, draft), { force: true });
  }
}

/** Removes the draft of the backup `file`, and the checksum unless the backup already has its final name. */
export function removeDraft(file: string): void {
  removeChecksumOfNone(file);
  rmSync(unfinished(file), { force: true });
}

function removeChecksumOfNone(file: string): void {
  if (!existsSync(file)) rmSync(checksumFile(file), { force: true });
}

/** Removes a backup with its checksum; true once they are gone. */
export function removeBackup(file: string): boolean {
  rmSync(file);
  rmSync(checksumFile(file), { force: true });
  return true;
}

/** Removes the oldest copies of the same database as `newest` whose ledger is not sound, so that `keep` are left. */
export function removeOldUnsound(newest: string, keep: number): void {
  const folder = path.dirname(newest);
  const newestFirst = readdirSync(folder)
    .filter((name) => unsoundName.test(name) && isOfSame(name, newest))
    .sort((a, b) => (partsOf(a).stamp < partsOf(b).stamp ? 1 : -1));
  for (const name of newestFirst.slice(keep)) removeBackup(path.join(folder, name));
}

/** Whether both are backups of one database. */
const isOfSame = (one: string, other: string): boolean => partsOf(one).id === partsOf(path.basename(other)).id;

/**
 * Removes the oldest daily backups of a database so that `keep` are left, `newest`, which was just made, among them.
 * Those dated after it go first, because a clock was wrong when they were made. Never removes those of another database,
 * such as the one that this one was restored from, nor the file at `database`, a path without links: a backup may have
 * become the database itself. Leaves links to files that do not exist. A file that cannot be removed is reported to
 * `failed`, and the others are still removed.
 */
export function removeOldDaily(
  folder: string,
  { newest, database, keep }: { newest: string; database: string; keep: number },
  failed: (name: string, error: unknown) => void,
): string[] {
  const latest = path.basename(newest);
  const succeeds = (name: string, act: () => boolean): boolean => {
    try {
      return act();
    } catch (error) {
      failed(name, error);
      return false;
    }
  };
  const isOther = (name: string) => isOtherFile(path.join(folder, name), path.resolve(database));
  const others = readdirSync(folder).filter(
    (name) => dailyName.test(name) && isOfSame(name, latest) && name !== latest && succeeds(name, () => isOther(name)),
  );
  const newestFirst = others.sort().reverse();
  const [future, past] = [newestFirst.filter((name) => name > latest), newestFirst.filter((name) => name < latest)];
  const old = [...past, ...future].slice(keep - 1);
  return old.filter((name) => succeeds(name, () => removeBackup(path.join(folder, name))));
}

const isOtherFile = (file: string, database: string): boolean => existsSync(file) && realpathSync(file) !== database;
