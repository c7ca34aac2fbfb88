// Files that survive a power failure: their contents and their names are on the disk before anyone relies on them.
import { closeSync, fsyncSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";

/** Waits until the contents of a file, or the names in a folder, are on the disk. */
export function syncToDisk(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } catch (error) {
    // Windows cannot sync folders, and some network file systems cannot either.
    if (!isUnsupported(error)) throw error;
  } finally {
    closeSync(file);
  }
}

/** Renames a file whose contents are on the disk, replacing another, and waits until the new name is there too. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncToDisk(dirname(to));
}

const isUnsupported = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ["EINVAL", "EPERM", "ENOTSUP"].includes(String(error.code));
