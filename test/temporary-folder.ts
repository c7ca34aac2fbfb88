// Where tests keep the files of their databases.
import { existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const memory = "/dev/shm";
const enoughMemory = 2 ** 30;

/**
 * Creates a folder in a file system in memory, where that has room and TMPDIR names no other place: no test's file has
 * to survive a power loss, and syncs cost nothing there.
 */
export function temporaryFolder(prefix: string): string {
  return mkdtempSync(path.join(hasRoom() ? memory : tmpdir(), prefix));
}

function hasRoom(): boolean {
  if (process.env.TMPDIR || !existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enoughMemory;
}
