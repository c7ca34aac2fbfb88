// The entrance to a SQLite file: every process that may write passes it alone before it opens the file.
import { setTimeout as sleep } from "node:timers/promises";
import { lockFile } from "./file-lock";
import { MigrationBlocked } from "./migration-files";

/** How often, and for how long, a process tries to enter. Milliseconds. */
const waits = { every: 50, longest: 600_000 };

/**
 * Waits until no other process migrates or replaces the database file at `path`, keeps others waiting, and resolves to
 * a function that lets them in. A process that replaces the file keeps the entrance, so that none opens it meanwhile.
 * Throws {@link MigrationBlocked} after ten minutes.
 */
export async function enter(path: string): Promise<() => void> {
  for (const deadline = performance.now() + waits.longest; ; await sleep(waits.every)) {
    const leave = lockFile(`${path}-migrating`, 0);
    if (leave) return leave;
    if (performance.now() > deadline) {
      throw new MigrationBlocked("Another process is still migrating or replacing the database.");
    }
  }
}
