// The checks that a copy of the database must pass before anyone relies on it.
import { damageOf } from "@/db/copy-sqlite";
import { schemaVersionOf } from "@/db/schema-version";
import { proofNote } from "@/server/domains/ledger/proof-note";
import { type Newest, type ProofResults, type VerifiedCounts, verifyLedger } from "@/server/domains/ledger/verify";
import { machine } from "@/server/process/clock";
import { CommandError } from "@/server/process/command-error";
import type { Env } from "@/server/process/env";
import { existingServerKeys } from "@/server/process/server-key";

type KeyEnv = Pick<Env, "secretKeys" | "retiredKeys" | "lostKeys" | "databaseUrl" | "dataDir">;

/** What the proof has counted, and the newest signatures. */
export interface Proved {
  counts: VerifiedCounts;
  newest: Newest;
}

/** Notes the results of a proof, and what a proof that passed has covered. */
type NoteProof = (results: ProofResults, counts?: VerifiedCounts) => void;

/** The proof found a wrong row. */
export class UnsoundLedger extends CommandError {}

/** Throws CommandError unless SQLite finds the file at `path` whole. `name` is what the operator calls it. */
export function expectWhole(path: string, name: string): void {
  const damage = damageOf(path);
  if (damage !== null) throw new CommandError(`${name} is damaged: ${damage}`);
}

/** Whether the schema is of this program's version or of an earlier one. Throws CommandError if it is of neither. */
export function expectUsable(path: string, name: string): "older" | "current" {
  const version = schemaVersionOf(path);
  if (version === "none") throw new CommandError(`${name} is not a database of Quittance.`);
  if (version !== "newer") return version;
  throw new CommandError(`${name} is of a newer version of Quittance. Use that version.`);
}

/**
 * Call before the proof of the database or its copy begins. Returns a function that notes the results for /metrics. If
 * it cannot, the last note grows old, which raises the alarm too.
 */
export function noteProof(env: Pick<Env, "dataDir" | "databaseUrl">): NoteProof {
  const note = proofNote(env);
  return (results, counts) => {
    try {
      note(machine.wall(), results, counts);
    } catch {
      // The proof is valid even if the note cannot be written.
    }
  };
}

/**
 * Proves the ledger in the file at `path`. `note` receives the results. Throws UnsoundLedger, which names the first
 * wrong row.
 */
export async function proveLedger(
  env: KeyEnv,
  path: string,
  name: string,
  note: NoteProof = () => {},
): Promise<Proved> {
  const result = await verifyLedger(`file:${path}`, existingServerKeys(env));
  note(result.results, result.ok ? result.counts : undefined);
  if (result.ok) return result;
  const { check, message, ...row } = result.fault;
  const where = Object.entries(row).map(([field, value]) => `\n  ${field}: ${value}`);
  throw new UnsoundLedger(`The ledger in ${name} is NOT sound (${check}): ${message}${where.join("")}`);
}
