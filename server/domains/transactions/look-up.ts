// The look-up job: asks the provider what became of a transaction, settles the answer, and carries out what is due.
import type { Reader } from "@/db/client";
import type { Later } from "@/server/domains/jobs/runner";
import { inTime } from "@/server/domains/providers/in-time";
import type { ChargeResult, PaymentProvider, ProviderResult } from "@/server/domains/providers/provider";
import { providerFor } from "@/server/domains/providers/registry";
import { inBackground } from "@/server/domains/records/in-background";
import { limits } from "@/server/kit/limits";
import { realNow } from "@/server/process/clock";
import type { Runtime } from "@/server/process/runtime";
import { mayArriveForMs, timeForDeadlines } from "./charge-times";
import { type Demand, paymentRequests } from "./payment-requests";
import type { TransactionRow } from "./present";
import { nextLookupAt } from "./provider-rules";
import { isDuplicateCharge, settle } from "./settle";
import { findLookupTarget, type LookupTarget } from "./store";

/**
 * Asks the provider about the transaction and settles the answer. Also makes the calls that were decided but not made
 * yet: to capture or release a hold, or to end a confirmation that never came. Idempotent. Resolves to the time of the
 * next look-up if something is still open.
 */
export const lookUp = async (runtime: Runtime, transactionId: string): Promise<Later | undefined> =>
  (await lookUpOnce(runtime, transactionId)).later;

/** After a provider's event: it only says that something has changed, so the look-up asks for details. */
export async function lookUpAfterEvent(runtime: Runtime, transactionId: string): Promise<undefined> {
  await lookUpOnce(runtime, transactionId);
}

/** The same, and resolves to whether it changed anything. */
export const changesByEvent = async (runtime: Runtime, transactionId: string): Promise<boolean> =>
  (await lookUpOnce(runtime, transactionId)).hasChanged;

interface Outcome {
  later?: Later;
  hasChanged: boolean;
}

async function lookUpOnce(runtime: Runtime, transactionId: string): Promise<Outcome> {
  const found = await findLookupTarget(runtime.db.read, transactionId);
  if (!found?.transaction.provider) return { hasChanged: false };
  const { provider: name, livemode, organizationId, paymentId } = found.transaction;
  const target = { ...found, ...(await demandOf(runtime.db.read, paymentId)) };
  const provider = providerFor(runtime, name, livemode);
  const now = runtime.clock.now();
  // The age of a charge does not tell its deadlines once the organization's clock was moved.
  const isMoved = Math.abs(now - realNow(runtime.clock)) > limits.clockSkewMs;
  const { databaseTime } = target;
  const deadlineTime = isMoved ? now : timeForDeadlines(target.transaction, { databaseTime, now });
  const call = { db: runtime.db.read, provider, target, now, deadlineTime };
  const result = await inTime((signal) => outcomeOf({ ...call, signal }));
  if (result === null) return { hasChanged: false };
  if ("again" in result) return { later: result, hasChanged: false };
  let hasChanged = false;
  const after = await inBackground(runtime, "payments.lookup", async (ctx) => {
    hasChanged = false;
    const emit: typeof ctx.emit = (event) => {
      hasChanged = true;
      ctx.emit(event);
    };
    const row = await settle({ ...ctx, emit }, transactionId, result);
    // The call that began the payment got no answer, so it could not release what its payer holds in excess.
    if (hasChanged) await paymentRequests().releaseExcess(ctx, row);
    if (hasChanged) ctx.audit({ target: transactionId, organizationId, detail: { found: result.status } });
    return row;
  });
  // A hold that is found after its end is released at once.
  if (hasChanged && hasLapsed(after, deadlineTime)) {
    return { ...(await lookUpOnce(runtime, transactionId)), hasChanged };
  }
  // How far our clock is ahead of the time that decides deadlines.
  const lead = now - deadlineTime;
  const present = runtime.clock.now();
  const next = nextLookupAt(after, present - lead, target.isWanted);
  if (next === null) return { hasChanged };
  const later = "dueAt" in next ? { again: next.dueAt + lead, isAct: true } : { again: present + next.afterMs };
  return { later, hasChanged };
}

const hasLapsed = ({ status, captureBefore }: TransactionRow, time: number): boolean =>
  status === "authorized" && captureBefore !== null && captureBefore <= time;

const demandOf = async (q: Reader, paymentId: string | null): Promise<Demand> =>
  paymentId === null ? { isWanted: true, captureMethod: "automatic" } : paymentRequests().demandOf(q, paymentId);

/** A payment or a refund at a provider, and what its payment request still expects. */
interface Target extends LookupTarget, Demand {}

interface LookupCall {
  db: Reader;
  provider: PaymentProvider;
  target: Target;
  now: number;
  /** Compared with the charge's deadlines. */
  deadlineTime: number;
  signal: AbortSignal;
}

/**
 * The transaction's result at its provider, after calls that were still due; null if it can no longer be determined.
 * `again` is when to look up a charge that may still arrive.
 */
async function outcomeOf(call: LookupCall): Promise<ProviderResult | { again: number } | null> {
  const { provider, target, now, signal } = call;
  const { transaction, captureMethod, chargeReference } = target;
  const { id, amount, currency } = transaction;
  if (transaction.type === "refund") {
    const known = await provider.lookup("refund", id, signal);
    if (known || chargeReference === null) return known;
    assertNotForgotten(transaction);
    return provider.refund({ idempotencyKey: id, chargeReference, amount, currency }, signal);
  }
  const charge = await provider.lookup("charge", id, signal);
  if (charge?.kind === "charge") return carryOut(call, charge);
  assertNotForgotten(transaction);
  const left = mayArriveForMs(transaction, { databaseTime: target.databaseTime, now });
  if (left > 0) return { again: now + left };
  return provider.giveUp({ idempotencyKey: id, amount, currency, captureMethod }, signal);
}

/** A provider that answered once and now knows nothing has dropped its keys: a repeated call would move money twice. */
function assertNotForgotten({ type, providerReference }: Target["transaction"]): void {
  if (providerReference !== null) throw new Error(`The provider has forgotten its ${type} ${providerReference}.`);
}

/** The charge after the capture or release that was decided for it. */
async function carryOut(
  { db, provider, target, deadlineTime, signal }: LookupCall,
  charge: ChargeResult,
): Promise<ChargeResult> {
  const { reference, status } = charge;
  const { transaction } = target;
  const { captureBefore, captureRequested, createdAt } = transaction;
  if (reference === null) return charge;
  // The charge belongs to another transaction, whose look-up decides about it.
  if (await isDuplicateCharge(db, transaction, charge)) return charge;
  if (status === "requires_action") {
    const mustEnd = isUnwanted(target) || deadlineTime >= createdAt + limits.charge.confirmMs;
    return mustEnd ? provider.cancel(reference, status, signal) : charge;
  }
  if (status !== "authorized") return charge;
  if (isUnwanted(target)) return provider.cancel(reference, status, signal);
  // A capture that was decided in time is also tried after the authorization's end: the provider decides if it is late.
  const graceMs = captureRequested === null ? 0 : limits.charge.lateCaptureMs;
  if (captureBefore !== null && deadlineTime >= captureBefore + graceMs)
    return provider.cancel(reference, status, signal);
  return captureRequested === null ? charge : provider.capture(reference, captureRequested, signal);
}

/**
 * Whether the money is no longer wanted. An open authorization hold is then released, even one that arrived too late.
 */
const isUnwanted = ({ transaction, isWanted }: Target): boolean =>
  !isWanted || ["failed", "canceled", "expired"].includes(transaction.status);
