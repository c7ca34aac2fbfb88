// What moves to the survivor when a customer is merged: a bounded number at once, the rest in a job.
import { keepSurvivor } from "@/server/domains/customers/store";
import { schedule } from "@/server/domains/jobs/queue";
import type { Later } from "@/server/domains/jobs/runner";
import { movePayments } from "@/server/domains/payments/store";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";

interface Merged {
  id: string;
  organizationId: string;
  mergedInto: string | null;
}

const { rows: batch, runs } = limits.batch.merge;

/**
 * Moves everything that belongs to a merged customer to its survivor; both are locked. Anything else that belongs to
 * customers is moved here too. Resolves to what the audit log says about it.
 */
export async function moveHoldings(ctx: WriteContext, merged: Merged): Promise<{ moved_payments: number }> {
  const { id: objectId, organizationId, mergedInto } = merged;
  if (mergedInto === null) throw new Error(`The customer ${objectId} was not merged.`);
  const moved = await movePayments(ctx.db, { from: objectId, to: mergedInto, limit: batch });
  if (moved === batch) await schedule(ctx, { kind: "customers.move", organizationId, objectId, runAt: ctx.now });
  return { moved_payments: moved };
}

/** The job: moves the rest, batch by batch, to the customer that is the survivor by then. Idempotent. */
export async function moveRest({ db, clock }: Runtime, id: string): Promise<Later | undefined> {
  for (let run = 0; run < runs; run++) {
    const moved = await db.write(async (tx) => {
      const to = await keepSurvivor(tx, id);
      return to === null ? 0 : movePayments(tx, { from: id, to, limit: batch });
    });
    if (moved < batch) return undefined;
  }
  return { again: clock.now() };
}
