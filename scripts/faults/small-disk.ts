// A small file system that can be filled, for a machine without strace. Mounting it takes root.
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const sizeMebibytes = 256;
/** Bytes written at once to fill it: first many, then a page. */
const chunkBytes = [2 ** 20, 4_096];

/** What this machine lacks for a file system of its own, or null. */
export function lacksSmallDisk(): string | null {
  if (process.platform !== "linux") return "neither strace nor tmpfs, which exist on Linux only";
  if (process.getuid?.() !== 0) return "no strace (Debian: apt-get install strace), and only root can mount a tmpfs";
  try {
    mountSmallDisk().remove();
    return null;
  } catch {
    return "no strace (Debian: apt-get install strace), and no tmpfs may be mounted here";
  }
}

/** Mounts an empty file system. Throws if the system does not allow it. */
export function mountSmallDisk() {
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-small-disk-"));
  const filler = path.join(folder, "filler");
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${sizeMebibytes}m`, "tmpfs", folder]);
  if (status !== 0) {
    rmSync(folder, { recursive: true });
    throw new Error("A tmpfs could not be mounted.");
  }
  const remove = () => {
    // Lazily, because a server that was just killed may still have files open.
    spawnSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", remove);
  return {
    folder,
    mebibytes: sizeMebibytes,
    /** Leaves no free page. */
    fill() {
      for (const bytes of chunkBytes) {
        const chunk = Buffer.alloc(bytes);
        while (hasRoomFor(filler, chunk));
      }
    },
    clear: () => rmSync(filler, { force: true }),
    remove() {
      process.off("exit", remove);
      remove();
    },
  };
}

/** Appends the chunk. False if the file system is full. */
function hasRoomFor(file: string, chunk: Buffer): boolean {
  try {
    appendFileSync(file, chunk);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOSPC") return false;
    throw error;
  }
}
