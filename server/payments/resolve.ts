// Finds out what became of attempts whose call to the provider broke off, and makes it true.
import { inBackground } from "@/server/background";
import type { Runtime } from "@/server/kit/runtime";
import { settle } from "@/server/transactions/settle";
import { type DoubtfulAttempt, doubtfulAttempts, scheduleLookup } from "./attempt-store";
import type { PaymentProvider, ProviderResult } from "./providers/provider";
import { inTime, providerFor } from "./providers/registry";

/** An attempt that the provider has not answered by then is asked about. */
export const firstLookupMs = 30_000;

/** What the provider cannot say yet is asked again after this long. */
const nextLookupMs = 60_000;

const batchSize = 100;

/**
 * Asks the providers about every transaction in doubt and settles what they say; the number settled. Safe to run in
 * several processes at once, since settling is idempotent.
 */
export async function resolveAttempts(runtime: Runtime): Promise<number> {
  let settledCount = 0;
  const attempts = await doubtfulAttempts(runtime.db.read, runtime.clock.now(), batchSize);
  for (const attempt of attempts) {
    try {
      if (await resolveAttempt(runtime, attempt)) settledCount++;
    } catch (error) {
      runtime.log.error({ err: error, transaction: attempt.transaction.id }, "an attempt could not be resolved");
      await postpone(runtime, attempt);
    }
  }
  return settledCount;
}

async function resolveAttempt(runtime: Runtime, attempt: DoubtfulAttempt): Promise<boolean> {
  const { id, provider: name, livemode } = attempt.transaction;
  if (name === null) throw new Error(`No provider took part in ${id}.`);
  const provider = providerFor(runtime, name, livemode);
  const result = await inTime(ask(provider, attempt, runtime.clock.now()));
  const isOpen = result === null || result.status === "processing" || result.status === "pending";
  if (isOpen) {
    await postpone(runtime, attempt);
    return false;
  }
  await inBackground(runtime, "payments.resolve", async (ctx) => {
    ctx.audit({
      target: id,
      organizationId: attempt.transaction.organizationId,
      detail: { found: result.status },
    });
    await scheduleLookup(ctx.db, id, null);
    await settle(ctx, id, result);
  });
  return true;
}

const postpone = (runtime: Runtime, { transaction }: DoubtfulAttempt): Promise<void> =>
  runtime.db.write((tx) => scheduleLookup(tx, transaction.id, runtime.clock.now() + nextLookupMs));

/** What became of the transaction at its provider, or what it now becomes there; null if that cannot be told. */
async function ask(provider: PaymentProvider, attempt: DoubtfulAttempt, now: number): Promise<ProviderResult | null> {
  const { transaction, chargeReference } = attempt;
  const { id, amount, currency } = transaction;
  if (transaction.type === "refund") {
    const known = await provider.lookup("refund", id);
    if (known || chargeReference === null) return known;
    return provider.refund({ idempotencyKey: id, chargeReference, amount, currency });
  }
  const charge = await provider.lookup("charge", id);
  if (charge?.kind !== "charge") return neverMade;
  return charge.status === "authorized" && charge.reference !== null && isToBeReleased(attempt, now)
    ? provider.cancel(charge.reference)
    : charge;
}

/** The provider never heard of the charge, and its details are not kept, so it cannot be made again. */
const neverMade: ProviderResult = {
  kind: "charge",
  reference: null,
  status: "declined",
  amountCaptured: 0,
  method: null,
  failure: { code: "processing_error", message: "The provider did not receive the payment.", retryable: true },
};

function isToBeReleased({ transaction, isCanceled }: DoubtfulAttempt, now: number): boolean {
  const { captureBefore, status } = transaction;
  return isCanceled || status === "canceled" || (captureBefore !== null && now >= captureBefore);
}
