// Asks the provider what became of a transaction whose answer is missing, and makes that true. The job behind every doubt.
import type { Reader } from "@/db/client";
import { inTime } from "@/server/domains/providers/in-time";
import type { ChargeResult, PaymentProvider, ProviderResult } from "@/server/domains/providers/provider";
import { providerFor } from "@/server/domains/providers/registry";
import { inBackground } from "@/server/domains/records/in-background";
import type { Runtime } from "@/server/process/runtime";
import { captureTriesMs, challengeMs, mayBeMadeFor, presentOf } from "./charge-times";
import { type Demand, paymentRequests } from "./payment-requests";
import { nextLookupAt } from "./provider-rules";
import { isSecondOfOne, settle } from "./settle";
import { type Doubt, findDoubt } from "./store";

/**
 * Asks the provider about the transaction and settles what it says; what was decided and is not done there yet (a
 * capture, a release, an end of a confirmation that nobody gives) it asks for again. Idempotent. Resolves to when to
 * look again, if something is still open.
 */
export async function lookUp(runtime: Runtime, transactionId: string): Promise<{ again: number } | undefined> {
  const doubt = await findDoubt(runtime.db.read, transactionId);
  if (!doubt?.transaction.provider) return undefined;
  const { provider: name, livemode, organizationId, paymentId } = doubt.transaction;
  const attempt = { ...doubt, ...(await demandOf(runtime.db.read, paymentId)) };
  const provider = providerFor(runtime, name, livemode);
  const now = runtime.clock.now();
  const present = presentOf(attempt.transaction, { databaseTime: attempt.databaseTime, now });
  const asked = { db: runtime.db.read, provider, attempt, now, present };
  const result = await inTime((signal) => ask({ ...asked, signal }));
  if (result === null) return undefined;
  if ("again" in result) return result;
  const after = await inBackground(runtime, "payments.lookup", async (ctx) => {
    let isNews = false;
    const emit: typeof ctx.emit = (event) => {
      isNews = true;
      ctx.emit(event);
    };
    const row = await settle({ ...ctx, emit }, transactionId, result);
    if (isNews) ctx.audit({ target: transactionId, organizationId, detail: { found: result.status } });
    return row;
  });
  const lag = now - present;
  const again = nextLookupAt(after, runtime.clock.now() - lag, attempt.isWanted);
  return again === null ? undefined : { again: again + lag };
}

const demandOf = async (q: Reader, paymentId: string | null): Promise<Demand> =>
  paymentId === null ? { isWanted: true, captureMethod: "automatic" } : paymentRequests().demandOf(q, paymentId);

interface Attempt extends Doubt, Demand {}

interface Asked {
  db: Reader;
  provider: PaymentProvider;
  attempt: Attempt;
  now: number;
  /** Against which the times of the charge are held. */
  present: number;
  signal: AbortSignal;
}

/**
 * What became of the transaction at its provider, or what it now becomes there; null if nobody can tell any more. A
 * charge that may still arrive is asked about again later.
 */
async function ask(asked: Asked): Promise<ProviderResult | { again: number } | null> {
  const { provider, attempt, now, signal } = asked;
  const { transaction, captureMethod, chargeReference } = attempt;
  const { id, amount, currency } = transaction;
  if (transaction.type === "refund") {
    const known = await provider.lookup("refund", id, signal);
    if (known || chargeReference === null) return known;
    assertNotForgotten(transaction);
    return provider.refund({ idempotencyKey: id, chargeReference, amount, currency }, signal);
  }
  const charge = await provider.lookup("charge", id, signal);
  if (charge?.kind === "charge") return carriedOn(asked, charge);
  assertNotForgotten(transaction);
  const left = mayBeMadeFor(transaction, { databaseTime: attempt.databaseTime, now });
  if (left > 0) return { again: now + left };
  return provider.giveUp({ idempotencyKey: id, amount, currency, captureMethod }, signal);
}

/** A provider that has answered once and then knows nothing keeps no keys any more: asking again would move money twice. */
function assertNotForgotten({ type, providerReference }: Attempt["transaction"]): void {
  if (providerReference !== null) throw new Error(`The provider has forgotten its ${type} ${providerReference}.`);
}

/** The charge once what was decided of it has been done. */
async function carriedOn(
  { db, provider, attempt, present, signal }: Asked,
  charge: ChargeResult,
): Promise<ChargeResult> {
  const { reference, status } = charge;
  const { transaction } = attempt;
  const { captureBefore, captureRequested, createdAt } = transaction;
  if (reference === null) return charge;
  // This charge belongs to another transaction, which decides what happens to it.
  if (await isSecondOfOne(db, transaction, charge)) return charge;
  if (status === "requires_action") {
    const isLate = isUnwanted(attempt) || present >= createdAt + challengeMs;
    return isLate ? provider.cancel(reference, status, signal) : charge;
  }
  if (status !== "authorized") return charge;
  if (isUnwanted(attempt)) return provider.cancel(reference, status, signal);
  // A capture that was decided in time is tried after the end, too: whether it is too late, the provider decides.
  const waits = captureRequested === null ? 0 : captureTriesMs;
  if (captureBefore !== null && present >= captureBefore + waits) return provider.cancel(reference, status, signal);
  return captureRequested === null ? charge : provider.capture(reference, captureRequested, signal);
}

/** Whether nobody waits for the money any more: what the provider still holds of it, or began too late, is released. */
const isUnwanted = ({ transaction, isWanted }: Attempt): boolean =>
  !isWanted || ["failed", "canceled", "expired"].includes(transaction.status);
