// The results of the last proofs of the ledger, as files in DATA_DIR, because a proof writes nothing to the database.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { databaseFile } from "@/db/sqlite";
import type { Env } from "@/server/process/env";
import type { ProofResults } from "./verify";
import { type ProofKind, proofKinds } from "./verify/fault";

const note = z.strictObject({
  /** When the proof ended, in epoch milliseconds. */
  at: z.int(),
  isSound: z.boolean(),
  /** The database that was proved: see {@link identityOf}. */
  database: z.string(),
});

type ProofNote = Omit<z.infer<typeof note>, "database">;

type Settings = Pick<Env, "dataDir" | "databaseUrl">;

/** Each kind has a file, so that a proof of another kind, perhaps at the same time, never hides its alarm. */
const fileOf = ({ dataDir }: Pick<Env, "dataDir">, kind: ProofKind) => path.join(dataDir, `ledger-proof-${kind}.json`);

/**
 * Call before a proof begins. Returns a function that stores its results at an instant (epoch milliseconds) for
 * {@link lastProofs}, which reads them in any process of this machine with the same DATA_DIR. A result stays until the
 * next one of the same kind.
 */
export function proofNote(env: Settings): (at: number, results: ProofResults) => void {
  const database = identityOf(env);
  return (at, results) => {
    for (const kind of proofKinds) {
      const isSound = results[kind];
      if (isSound !== undefined) write(env, kind, { at, isSound, database });
    }
  };
}

function write(env: Settings, kind: ProofKind, result: z.infer<typeof note>): void {
  const file = fileOf(env, kind);
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

/** The last result of each kind of proof of this database on this machine, without those whose note cannot be read. */
export function lastProofs(env: Settings): (ProofNote & { kind: ProofKind })[] {
  const database = identityOf(env);
  return proofKinds.flatMap((kind) => {
    try {
      const { database: proved, ...result } = note.parse(JSON.parse(readFileSync(fileOf(env, kind), "utf8")));
      return proved === database ? [{ ...result, kind }] : [];
    } catch {
      return [];
    }
  });
}

/** The latest result that is not sound, of any kind; otherwise the last proof of the rows, if there was one. */
export function lastProof(env: Settings): ProofNote | null {
  const results = lastProofs(env);
  const [latest] = results.filter(({ isSound }) => !isSound).sort((a, b) => b.at - a.at);
  const { at, isSound } = latest ?? results.find(({ kind }) => kind === "rows") ?? {};
  return at === undefined || isSound === undefined ? null : { at, isSound };
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
