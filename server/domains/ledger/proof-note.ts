// The result of the last proof of the ledger, as a file in DATA_DIR, because a proof writes nothing to the database.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { databaseFile } from "@/db/sqlite";
import type { Env } from "@/server/process/env";

const note = z.strictObject({
  /** When the proof ended, in epoch milliseconds. */
  at: z.int(),
  isSound: z.boolean(),
  /** The database that was proved: see {@link identityOf}. */
  database: z.string(),
});

type ProofNote = Omit<z.infer<typeof note>, "database">;

type Settings = Pick<Env, "dataDir" | "databaseUrl">;

const fileOf = ({ dataDir }: Pick<Env, "dataDir">) => path.join(dataDir, "ledger-proof.json");

/**
 * Call before a proof begins. Returns a function that stores the result for {@link lastProof}, which reads it in any
 * process of this machine with the same DATA_DIR.
 */
export function proofNote(env: Settings): (result: ProofNote) => void {
  const database = identityOf(env);
  return (result) => write(env, { ...result, database });
}

function write(env: Settings, result: z.infer<typeof note>): void {
  const file = fileOf(env);
  const draft = `${file}.${process.pid}.new`;
  mkdirSync(env.dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(draft, `${JSON.stringify(result)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The result of the last proof of this database on this machine; null if there was none or its note cannot be read. */
export function lastProof(env: Settings): ProofNote | null {
  try {
    const { database, ...result } = note.parse(JSON.parse(readFileSync(fileOf(env), "utf8")));
    return database === identityOf(env) ? result : null;
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
