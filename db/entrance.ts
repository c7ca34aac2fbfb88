// The entrance to a SQLite file: every process that may write passes it alone before it opens the file.
import { setTimeout as sleep } from "node:timers/promises";
import { lockFile } from "./file-lock";
import { MigrationBlocked } from "./migration-files";

/** How often, and for how long, a process tries to enter, and after how long it says so. Milliseconds. */
export const waits = { every: 50, silent: 3_000, longest: 600_000 };

/**
 * Waits until no other process migrates or replaces the database file at `path`, keeps others waiting, and resolves to
 * a function that lets them in. A process that replaces the file keeps the entrance, so that none opens it meanwhile.
 * `report` receives a sentence for the operator if the wait takes more than a moment. Throws {@link MigrationBlocked}
 * after ten minutes.
 */
export async function enter(path: string, report: (sentence: string) => void): Promise<() => void> {
  const startedAt = performance.now();
  for (let hasReported = false; ; await sleep(waits.every)) {
    const leave = lockFile(`${path}-migrating`, 0);
    if (leave) return leave;
    const waited = performance.now() - startedAt;
    if (waited > waits.longest) {
      throw new MigrationBlocked(`Another process is still migrating or replacing the database ${path}.`);
    }
    if (waited < waits.silent || hasReported) continue;
    report(`another process is migrating or replacing the database ${path}: waiting for it`);
    hasReported = true;
  }
}
