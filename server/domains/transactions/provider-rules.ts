// How a provider's result changes a transaction. Pure, and independent of the order in which results arrive.
import type { TransactionFailure } from "@/db/schema/values";
import type { When } from "@/server/domains/jobs/queue";
import { authorizationOpened, authorizationReleased, captured, type Journal } from "@/server/domains/ledger/rules";
import type { ChargeResult, ChargeStatus, ProviderResult } from "@/server/domains/providers/provider";
import { authorizationLifetimeMs } from "@/server/domains/providers/provider";
import { hourMs, limits } from "@/server/kit/limits";
import { last4Of } from "./card-words";
import type { TransactionRow } from "./present";
import { capturedStatus, openHold, type TransactionStatus } from "./rules";

/** A change of a row, and the journals to post for it. */
export interface Change {
  patch: Partial<TransactionRow>;
  journals: Journal[];
  /** When the money of the journals moved, in epoch milliseconds; absent for the time of posting. */
  valueAt?: number;
}

/** How far a charge has come, on one scale for the provider's statuses and ours. The furthest status always wins. */
const charged: Readonly<Record<ChargeStatus, number>> = {
  requires_action: 1,
  processing: 2,
  authorized: 3,
  declined: 4,
  canceled: 5,
  succeeded: 6,
};
const furthest = charged.succeeded;

function progressOf(row: TransactionRow): number {
  switch (row.status) {
    case "requires_action":
      return charged.requires_action;
    case "processing":
      // Any result may follow while the provider has not answered yet.
      return row.providerReference === null ? 0 : charged.processing;
    case "authorized":
      return charged.authorized;
    case "failed":
      return charged.declined;
    case "canceled":
    case "expired":
      return charged.canceled;
    default:
      return row.status === "pending" ? 0 : furthest;
  }
}

const statusOf: Readonly<Record<Exclude<ChargeStatus, "succeeded">, TransactionStatus>> = {
  requires_action: "requires_action",
  processing: "processing",
  authorized: "authorized",
  declined: "failed",
  canceled: "canceled",
};

/**
 * How a charge's result changes its payment; null if nothing changes. Each field only moves towards its final value, so
 * results in any order and any number lead to the same row and the same balances. Throws for a result that contradicts
 * the charge. `arrival` is when money that it brings counts as received.
 */
export function applyCharge(
  row: TransactionRow,
  result: ChargeResult,
  { now, arrival }: { now: number; arrival: number },
): Change | null {
  assertPlausible(row, result);
  const advances = charged[result.status] > progressOf(row);
  const amountCaptured = Math.max(row.amountCaptured, result.amountCaptured);
  const isHeld = result.status === "authorized" || amountCaptured > 0;
  const amountAuthorized = isHeld ? row.amount : row.amountAuthorized;
  const isClosed = Math.max(progressOf(row), charged[result.status]) >= charged.declined;
  const amounts = {
    amountCaptured,
    amountAuthorized,
    amountReleased: isClosed ? amountAuthorized - amountCaptured : 0,
  };
  const captureBefore =
    row.captureBefore ?? (result.status === "authorized" ? row.createdAt + authorizationLifetimeMs : null);
  const valueAt = movedAt(result, now);
  const isLapsed = captureBefore !== null && now >= captureBefore;
  const status = statusAfter(row, result, { ...amounts, advances, isClosed, isLapsed });
  const paymentMethod = row.paymentMethod ?? result.method;
  const patch: Partial<TransactionRow> = {
    ...amounts,
    status,
    providerReference: row.providerReference ?? result.reference,
    paymentMethod,
    cardLast4: last4Of(paymentMethod),
    storedMethod: row.storedMethod ?? result.storedMethod ?? null,
    failure: failureAfter(row, result, status),
    captureBefore,
    // The first money that arrives after the charge was closed updates the time. More of it does not, so that payments
    // stay in the order in which their money arrived.
    settledAt: isClosed ? ((row.amountCaptured === 0 && amountCaptured > 0 ? null : row.settledAt) ?? arrival) : null,
    effectiveAt: row.amountCaptured === 0 && amountCaptured > 0 ? valueAt : row.effectiveAt,
    captureRequested: isClosed ? null : row.captureRequested,
    actionUrl: status === "requires_action" ? result.actionUrl : null,
  };
  if (!differs(row, patch)) return null;
  const journals = chargeJournals(row, { ...row, ...patch });
  return amountCaptured > row.amountCaptured ? { patch, journals, valueAt } : { patch, journals };
}

/** When the provider moved the money of a result: as it says, but not later than now. */
export const movedAt = (result: ProviderResult, now: number): number => Math.min(result.movedAt ?? now, now);

/** The bounds of the wait between two look-ups of a transaction in progress. */
const shortestWaitMs = 60_000;
const longestWaitMs = hourMs;

/**
 * When to look a transaction up next; null once nothing is open. A confirmation is looked up when its time
 * ends. An authorization hold is looked up when it lapses, or soon if a capture was requested or its payment request no
 * longer wants it. A transaction in progress is looked up less often the longer it takes.
 */
export function nextLookupAt(row: TransactionRow, now: number, isWanted = true): When | null {
  switch (row.status) {
    case "requires_action":
      return atOrLater(row.createdAt + limits.charge.confirmMs, now);
    case "authorized":
      return isWanted && row.captureRequested === null && row.captureBefore !== null
        ? atOrLater(row.captureBefore, now)
        : { afterMs: shortestWaitMs };
    case "pending":
    case "processing":
      return laterEachTime(row, now);
    default:
      return null;
  }
}

/**
 * When to look up an attempt that has ended without money, after the provider `reported` a status; null if the charge
 * has ended there too. The look-up ends a charge that is still open, or finds that it was paid: at once if
 * the report changed the row, then less and less often while the provider repeats it.
 */
export function lookupAfterEndAt(
  row: TransactionRow,
  reported: ChargeStatus,
  hasChanged: boolean,
  now: number,
): When | null {
  const isOver = row.status === "failed" || row.status === "canceled" || row.status === "expired";
  if (!isOver || charged[reported] >= charged.declined) return null;
  return hasChanged ? { dueAt: now } : laterEachTime(row, now);
}

const laterEachTime = ({ createdAt }: TransactionRow, now: number): When => ({
  afterMs: Math.min(longestWaitMs, Math.max(shortestWaitMs, now - createdAt)),
});

/** The instant, or a minute from now once it is past, so that a slow provider is not asked without pause. */
const atOrLater = (instant: number, now: number): When =>
  now < instant ? { dueAt: instant } : { afterMs: shortestWaitMs };

function assertPlausible(row: TransactionRow, result: ChargeResult): void {
  const { amountCaptured, status, reference } = result;
  const isWrong = amountCaptured < 0 || amountCaptured > row.amount || (status === "succeeded" && amountCaptured === 0);
  const isOther = reference !== null && row.providerReference !== null && row.providerReference !== reference;
  if (isWrong || isOther) {
    throw new Error(`The provider's result for ${row.id} contradicts its charge: ${status}, ${reference}.`);
  }
}

function statusAfter(
  row: TransactionRow,
  result: ChargeResult,
  after: { amountCaptured: number; advances: boolean; isClosed: boolean; isLapsed: boolean },
): TransactionStatus {
  // A void after a partial capture releases only the rest: the payment has succeeded.
  if (after.isClosed && after.amountCaptured > 0) return capturedStatus({ ...row, ...after });
  if (!after.advances || result.status === "succeeded") return row.status;
  // A hold that is released because it lapsed was not canceled by anyone.
  return result.status === "canceled" && after.isLapsed ? "expired" : statusOf[result.status];
}

function failureAfter(row: TransactionRow, result: ChargeResult, status: TransactionStatus): TransactionFailure | null {
  if (status !== "failed") return null;
  const { failure } = result;
  return row.failure ?? (failure && { code: failure.code, message: failure.message });
}

/** The journals between two states of a payment: money captured, and the authorization hold opened or released. */
function chargeJournals(before: TransactionRow, after: TransactionRow): Journal[] {
  const { accountId, currency, provider } = after;
  if (provider === null) throw new Error(`${after.id} has no provider.`);
  const amount = after.amountCaptured - before.amountCaptured;
  const closed = openHold(before) - openHold(after);
  const journals: Journal[] = [];
  if (closed < 0) journals.push(authorizationOpened({ accountId, currency, amount: -closed }));
  if (amount > 0) {
    const heldAmount = Math.min(amount, Math.max(0, closed));
    const releasedAmount = Math.max(0, closed) - heldAmount;
    journals.push(captured({ accountId, provider, amount, currency, heldAmount, releasedAmount }));
  } else if (closed > 0) {
    journals.push(authorizationReleased({ accountId, currency, amount: closed }));
  }
  return journals;
}

const differs = (row: TransactionRow, patch: Partial<TransactionRow>): boolean =>
  Object.entries(patch).some(([name, value]) => row[name as keyof TransactionRow] !== value);
