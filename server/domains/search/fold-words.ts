// Completes the search words of an earlier version, which kept accents: a job over all organizations, in batches.
import * as z from "zod";
import { foldAccounts } from "@/server/domains/accounts/search-words";
import { passes } from "@/server/domains/jobs/passes";
import type { Later } from "@/server/domains/jobs/runner";
import type { Progress } from "@/server/domains/jobs/store";
import { foldPayments } from "@/server/domains/payments/search-words";
import { foldTransactions } from "@/server/domains/transactions/search-words";
import { foldUsers } from "@/server/domains/users/search-words";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";

/** One after another. Each takes a batch after an id, and returns the last one's; null at the end. */
const parts = [foldAccounts, foldUsers, foldPayments, foldTransactions] as const;

const progressShape = z.strictObject({
  pass: z.int(),
  /** Which part continues, and after which id. */
  part: z.int(),
  after: z.string(),
});
type Position = z.infer<typeof progressShape>;

/**
 * Completes some batches, and resolves to where it continues, until the last pass is over. Until then, records of the
 * earlier version are found by their words as that version wrote them, with accents. Idempotent.
 */
export async function foldWords(
  runtime: Runtime,
  _objectId: string,
  signal: AbortSignal,
  saved: Progress,
): Promise<Later | undefined> {
  let progress: Position = saved === null ? { pass: 1, part: 0, after: "" } : progressShape.parse(saved);
  for (let batches = 0; batches < limits.batch.wordRuns && !signal.aborted; batches++) {
    const part = parts[progress.part];
    if (!part) return endOfPass(runtime, progress.pass);
    const last = await part(runtime, progress.after);
    progress = last === null ? { ...progress, part: progress.part + 1, after: "" } : { ...progress, after: last };
  }
  return { again: runtime.clock.now(), progress };
}

function endOfPass({ clock, log }: Runtime, pass: number): Later | undefined {
  log.info({ pass }, "search words of an earlier version were completed");
  const pause = passes[pass];
  return pause === undefined
    ? undefined
    : { again: clock.now() + pause, progress: { pass: pass + 1, part: 0, after: "" } };
}
