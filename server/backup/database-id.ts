// Tells the backups of different databases apart: a random identifier in a file beside each database. A copy of the
// database does not contain it.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** An identifier in a file name. */
export const idPattern = "[0-9a-f]{8}";

/**
 * The identifier of the database at `path`, a path without links; made at the first call. A restore keeps it, because
 * it is not in the database. A backup that is restored in another place gets another one.
 */
export function databaseIdOf(path: string): string {
  const file = `${path}-id`;
  const known = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  if (new RegExp(`^${idPattern}$`).test(known)) return known;
  const id = randomBytes(4).toString("hex");
  writeFileSync(file, `${id}\n`, { mode: 0o600 });
  return id;
}
