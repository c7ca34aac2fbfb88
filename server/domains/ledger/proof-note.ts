// The result of the last proof of the ledger, as a file in DATA_DIR, because a proof writes nothing to the database.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import type { Env } from "@/server/process/env";

const note = z.strictObject({
  /** When the proof ended, in epoch milliseconds. */
  at: z.int(),
  isSound: z.boolean(),
});

export type ProofNote = z.infer<typeof note>;

const fileOf = ({ dataDir }: Pick<Env, "dataDir">) => path.join(dataDir, "ledger-proof.json");

/** Stores the result for {@link lastProof}, which reads it in any process of this machine with the same DATA_DIR. */
export function noteProof(env: Pick<Env, "dataDir">, result: ProofNote): void {
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

/** The result of the last proof on this machine; null if there was none or its note cannot be read. */
export function lastProof(env: Pick<Env, "dataDir">): ProofNote | null {
  try {
    return note.parse(JSON.parse(readFileSync(fileOf(env), "utf8")));
  } catch {
    return null;
  }
}
