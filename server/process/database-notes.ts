// Notes about the database as files in DATA_DIR, for what is done without writing to it, such as proofs and backups.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { databaseFile } from "@/db/sqlite";
import type { Env } from "./env";

type Settings = Pick<Env, "dataDir" | "databaseUrl">;

const fileOf = ({ dataDir }: Settings, name: string) => path.join(dataDir, `${name}.json`);

/**
 * Call before what is noted begins. Returns a function that stores a value under a name for {@link readNote}, in place
 * of an earlier one. Throws if the file cannot be written.
 */
export function notesOf(env: Settings): (name: string, value: object) => void {
  const database = identityOf(env);
  return (name, value) => {
    const file = fileOf(env, name);
    const draft = `${file}.${process.pid}.new`;
    mkdirSync(env.dataDir, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(draft, `${JSON.stringify({ database, value })}\n`, { mode: 0o600 });
      renameSync(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  };
}

/**
 * The value stored under a name by any process of this machine with the same DATA_DIR. Null if there is none, if it is
 * about another database, or if it cannot be read.
 */
export function readNote<T>(env: Settings, name: string, schema: z.ZodType<T>): T | null {
  try {
    const note = z.strictObject({ database: z.string(), value: schema });
    const { database, value } = note.parse(JSON.parse(readFileSync(fileOf(env, name), "utf8")));
    return database === identityOf(env) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Tells databases apart. On SQLite it is the path and number of the file, since a restore replaces the file; on
 * PostgreSQL the server and the name, since a dump is restored into a new database.
 */
function identityOf({ databaseUrl }: Settings): string {
  if (!databaseUrl.startsWith("file:")) {
    const { host, pathname, searchParams } = new URL(databaseUrl);
    return `${searchParams.get("host") ?? host}${pathname}`;
  }
  const file = databaseFile(databaseUrl);
  return `${path.resolve(file)} ${statSync(file, { throwIfNoEntry: false })?.ino}`;
}
