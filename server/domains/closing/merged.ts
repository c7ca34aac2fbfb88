// What moves to the survivor when a customer is merged: a bounded number at once, the rest in a job.
import { lockAllCredits, reassignCredits } from "@/server/domains/customers/credit-store";
import { keepSurvivor } from "@/server/domains/customers/survivor-store";
import { schedule } from "@/server/domains/jobs/queue";
import type { Later } from "@/server/domains/jobs/runner";
import { tryPostJournals } from "@/server/domains/ledger/post";
import { creditMoved } from "@/server/domains/ledger/rules";
import { moveMethods } from "@/server/domains/payments/methods/store";
import { movePayments } from "@/server/domains/payments/store";
import { moveSubscriptions } from "@/server/domains/subscriptions/store";
import { moveTransactions } from "@/server/domains/transactions/record-store";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";

interface Merged {
  id: string;
  organizationId: string;
  mergedInto: string | null;
}

const { rows: batch, runs } = limits.batch.merge;

interface Holdings {
  moved_payments: number;
  /** Those without a payment request. */
  moved_transactions: number;
  moved_credit: { currency: string; amount: number }[];
}

/**
 * Moves everything that belongs to a merged customer to its survivor; both are locked. Anything else that belongs to
 * customers is moved here too. Resolves to what the audit log says about it; null if the survivor would have more credit
 * than one ledger account may hold.
 */
export async function moveHoldings(ctx: WriteContext, merged: Merged): Promise<Holdings | null> {
  const { id: objectId, organizationId, mergedInto } = merged;
  if (mergedInto === null) throw new Error(`The customer ${objectId} was not merged.`);
  const move = { from: objectId, to: mergedInto, limit: batch };
  const moved = await movePayments(ctx.db, move);
  const transactions = await moveTransactions(ctx.db, move);
  if (moved === batch || transactions === batch)
    await schedule(ctx, { kind: "customers.move", organizationId, objectId, afterMs: 0 });
  const credit = await moveCredit(ctx, objectId, mergedInto);
  // Subscriptions first: with their rows locked, no card is stored for one meanwhile.
  await moveSubscriptions(ctx.db, objectId, mergedInto);
  await moveMethods(ctx.db, objectId, mergedInto);
  return credit && { moved_payments: moved, moved_transactions: transactions, moved_credit: credit };
}

/** Moves the credit, by one journal for each currency, which belongs to the newest payment that the credit was made of. */
async function moveCredit(ctx: WriteContext, from: string, to: string): Promise<Holdings["moved_credit"] | null> {
  const sums = await lockAllCredits(ctx.db, from);
  for (const { organizationId, accountId, currency, livemode, amount, newestId: id } of sums) {
    const journals = [creditMoved({ from, to, accountId, currency, amount })];
    const source = { kind: "transaction", id } as const;
    if (await tryPostJournals(ctx, { organizationId, livemode, source, valueAt: null, journals })) return null;
  }
  await reassignCredits(ctx.db, from, to);
  return sums.map(({ currency, amount }) => ({ currency, amount }));
}

/** The job: moves the rest, batch by batch, to the customer that is the survivor by then. Idempotent. */
export async function moveRest({ db, clock }: Runtime, id: string): Promise<Later | undefined> {
  for (let run = 0; run < runs; run++) {
    const moved = await db.write(async (tx) => {
      const to = await keepSurvivor(tx, id);
      if (to === id) return 0;
      const move = { from: id, to, limit: batch };
      const count = Math.max(await movePayments(tx, move), await moveTransactions(tx, move));
      // One that began since, with a payment request that is moved only now.
      await moveSubscriptions(tx, id, to);
      await moveMethods(tx, id, to);
      return count;
    });
    if (moved < batch) return undefined;
  }
  return { again: clock.now() };
}
