// The results of the last proofs of the ledger, noted on this machine.
import * as z from "zod";
import { notesOf, readNote } from "@/server/process/database-notes";
import type { Env } from "@/server/process/env";
import type { ProofResults, VerifiedCounts } from "./verify";
import { type ProofKind, proofKinds } from "./verify/fault";

const result = z.strictObject({
  /** When the proof ended, in epoch milliseconds. */
  at: z.int(),
  isSound: z.boolean(),
  /** What a proof that passed has covered. */
  counts: z.strictObject({ postings: z.int(), transactions: z.int(), payments: z.int() }).optional(),
});

type Noted = z.infer<typeof result>;
type Result = Pick<Noted, "at" | "isSound">;
type Counts = Pick<VerifiedCounts, "postings" | "transactions" | "payments">;

type Settings = Pick<Env, "dataDir" | "databaseUrl">;

/** Each kind has a note, so that a proof of another kind, perhaps at the same time, never hides its alarm. */
const nameOf = (kind: ProofKind) => `ledger-proof-${kind}`;

/**
 * Call before a proof begins. Returns a function that stores its results at an instant (epoch milliseconds) for
 * {@link lastProofs}. A result stays until the next one of the same kind.
 */
export function proofNote(env: Settings): (at: number, results: ProofResults, covered?: Counts) => void {
  const note = notesOf(env);
  return (at, results, covered) => {
    const { postings, transactions, payments } = covered ?? {};
    const counts = covered && { postings, transactions, payments };
    for (const kind of proofKinds) {
      const isSound = results[kind];
      if (isSound !== undefined) note(nameOf(kind), { at, isSound, counts });
    }
  };
}

/** The last result of each kind of proof of this database on this machine, without those whose note cannot be read. */
export const lastProofs = (env: Settings): (Noted & { kind: ProofKind })[] =>
  proofKinds.flatMap((kind) => {
    const last = readNote(env, nameOf(kind), result);
    return last === null ? [] : [{ ...last, kind }];
  });

/** The latest result that is not sound, of any kind; otherwise the last proof of the rows, if there was one. */
export function lastProof(env: Settings): Result | null {
  const results = lastProofs(env);
  const [latest] = results.filter(({ isSound }) => !isSound).sort((a, b) => b.at - a.at);
  const { at, isSound } = latest ?? results.find(({ kind }) => kind === "rows") ?? {};
  return at === undefined || isSound === undefined ? null : { at, isSound };
}
