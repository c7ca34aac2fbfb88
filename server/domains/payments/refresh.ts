// Updates a payment request's row from its transactions, in the transaction that changed them, and emits its events.
import { schedule, unschedule } from "@/server/domains/jobs/queue";
import { mailReceipt } from "@/server/domains/transactions/receipt-mails";
import { setLate } from "@/server/domains/transactions/record-store";
import type { WriteContext } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
import { announce } from "./announce";
import { eventsOf } from "./change-events";
import { attemptsOfPayers, hasFailed, lastFailureOf } from "./declines";
import {
  type Attempt,
  amountDue,
  amountMissing,
  derivePaymentStatus,
  isPaidUp,
  isUnderWay,
  mayExpire,
  statusAt,
} from "./derive";
import { actionUrlOf, captureBeforeOf, lastErrorOf } from "./from-attempts";
import { followWithCreditNotes } from "./invoices/credit-notes";
import { customerOfUse } from "./links/customer-of-use";
import { flagExcess } from "./links/over-limit";
import { mayMailPayer } from "./links/payer";
import { columnsOfUse, endWithLink, latenessOf } from "./links/place";
import { countFailure, followUse, linkOf, refreshLink } from "./links/refresh-link";
import { isReusable } from "./links/usage";
import { followDueDate } from "./overdue";
import { dropReminders, moveReminders, repeatReminders, resumeReminders } from "./reminder-plan";
import type { PaymentStatus } from "./rules";
import { dueAtOf, paidLateOf, settledOf } from "./stale";
import { attemptsOf, lockPayment, type PaymentRow, updatePayment } from "./store";
import { subscriptions } from "./subscriptions";
import { paidUpAt, totalsOf } from "./totals";

type Commands = Pick<
  PaymentRow,
  | ("canceledAt" | "cancellationReason" | "expiresAt" | "extendedAt" | "expiresAlone" | "viewedAt" | "dueAt")
  | ("amountReopened" | "amountWrittenOff" | "writeOffReason" | "cardsAllowedAt")
>;

/**
 * Recomputes the payment request's amounts and status from its transactions and from `commands`, which no transaction
 * records. Emits `payment.*` events for the changes. The receipt of money that has arrived is that of the transaction
 * `arrivedId`. Throws for an unknown id.
 */
export async function refreshPayment(
  ctx: WriteContext,
  paymentId: string,
  commands: Partial<Commands> = {},
  arrivedId: string | null = null,
): Promise<PaymentRow> {
  const row = await lockPayment(ctx.db, paymentId);
  if (!row) throw new Error(`No payment request has the id ${paymentId}.`);
  if (isReusable(row)) return refreshLink(ctx, row, commands);
  const attempts = await noteLate(ctx, row, await attemptsOf(ctx.db, row), arrivedId);
  const link = await linkOf(ctx, row);
  const updated = await updatePayment(ctx.db, paymentId, {
    ...(await columnsAfter(ctx, { row, link, attempts }, { ...row, ...commands })),
    ...columnsOfUse(row, attempts),
    ...latenessOf(link, row, attempts, ctx.now),
    ...(await customerOfUse(ctx, row, attempts)),
    version: row.version + 1,
    updatedAt: ctx.now,
  });
  if (!updated) throw new Error(`The payment request ${paymentId} no longer exists although it was locked.`);
  if (isOver(updated)) await endOthers(ctx, updated, attempts);
  const isExtended = updated.expiresAt !== row.expiresAt || updated.extendedAt !== row.extendedAt;
  const events = await eventsOf(ctx, row, updated);
  if (updated.viewedAt !== row.viewedAt) events.push("payment.viewed");
  if (updated.amountPaid > row.amountPaid && hadEnded(row, ctx.now)) events.push("payment.paid_late");
  if (updated.amountOverpaid > row.amountOverpaid) events.push("payment.overpaid");
  for (const type of events) announce(ctx, type, row, updated);
  await followWithCreditNotes(ctx, row, updated, attempts);
  if (link) await flagExcess(ctx, link, row, updated);
  if (link) await followUse(ctx, link, row, updated);
  const failure = events.includes("payment.attempt_failed") ? lastFailureOf(attempts) : null;
  if (link && failure) await countFailure(ctx, link.id, failure);
  const arrived = attempts.find(({ id }) => id === arrivedId);
  if (!isPaidUp(row)) await mailPart(ctx, updated, updated.amountPaid - row.amountPaid, arrived);
  if (isExtended || mayExpire(updated) !== mayExpire(row)) await followExpiry(ctx, updated);
  if (isExtended) await moveReminders(ctx, updated);
  await followDueDate(ctx, row, updated);
  const isDueAgain = updated.amountReopened > row.amountReopened || isOver(row);
  if ((isDueAgain || updated.dueAt !== row.dueAt) && !isOver(updated)) {
    await repeatReminders(ctx, updated, isDueAgain);
  }
  if (isOver(updated) && !isOver(row)) await dropReminders(ctx, updated);
  if (row.disputeStatus === "open" && updated.disputeStatus !== "open") await resumeReminders(ctx, updated);
  if (updated.type === "subscription") await subscriptions().follow(ctx, row, updated);
  return updated;
}

interface Before {
  row: PaymentRow;
  /** The reusable link of which it is a use. */
  link: PaymentRow | null;
  attempts: readonly Attempt[];
}

/** The columns that follow from the transactions, the time, and `commanded`: the row as commands have just changed it. */
async function columnsAfter(ctx: WriteContext, { row, link, attempts }: Before, commanded: PaymentRow) {
  const { amountReopened, amountWrittenOff, writeOffReason, cancellationReason } = commanded;
  const { expiresAt, extendedAt, expiresAlone, viewedAt } = commanded;
  const ends = {
    ...{ expiresAt, extendedAt },
    canceledAt: commanded.canceledAt ?? endWithLink(link, attempts, ctx.now),
    ...closedToCards(row, commanded, attempts, ctx.now),
  };
  const totals = totalsOf({ ...commanded, attempts });
  const changed = { ...commanded, ...totals, ...ends };
  const settled = await settledOf(ctx.db, changed, attempts);
  const facts = { ...changed, ...settled, usage: null, attempts };
  const status = derivePaymentStatus(facts, ctx.now);
  const derived = { ...changed, status };
  const paidAt = amountReopened > row.amountReopened ? null : row.paidAt;
  return {
    ...totals,
    ...settled,
    ...ends,
    status,
    ...{ amountReopened, amountWrittenOff, writeOffReason, cancellationReason, expiresAlone, viewedAt },
    dueAt: dueAtOf(commanded, changed),
    paidAt: paidAt ?? (isPaidUp(derived) ? paidUpAt(attempts, ctx.now) : null),
    paidLateAt: paidLateOf(attempts),
    captureBefore: captureBeforeOf(attempts),
    lastError: lastErrorOf(status, facts),
    actionUrl: actionUrlOf(status, attempts),
  };
}

/** Flags the payment whose money has just arrived from a provider, if it came after the end of the payment request. */
async function noteLate(
  ctx: WriteContext,
  row: PaymentRow,
  attempts: readonly Attempt[],
  arrivedId: string | null,
): Promise<readonly Attempt[]> {
  const isMore = totalsOf({ ...row, attempts }).amountPaid > row.amountPaid;
  const late = isMore && hadEnded(row, ctx.now) ? attempts.find(({ id }) => id === arrivedId) : undefined;
  if (!late || late.provider === null) return attempts;
  await setLate(ctx.db, [late.id], ctx.now);
  return attempts.map((one) => (one.id === late.id ? { ...one, lateAt: ctx.now } : one));
}

/** Since when its page takes no card, because too many attempts failed since the merchant last allowed cards. */
function closedToCards(row: PaymentRow, { cardsAllowedAt }: PaymentRow, attempts: readonly Attempt[], now: number) {
  const before = cardsAllowedAt === row.cardsAllowedAt ? row.failedAt : null;
  const hasNow = before === null && hasFailed(attemptsOfPayers(attempts, row), cardsAllowedAt, now);
  return { cardsAllowedAt, failedAt: hasNow ? now : before };
}

/**
 * Whether money that arrives at `now` arrives after the end of the payment request. `row` is as it was before that
 * money. A processing attempt keeps a payment request from expiring, but its money is late once the time to pay is
 * over.
 */
const hadEnded = (row: PaymentRow, now: number): boolean =>
  ["canceled", "expired"].includes(statusAt(row, now)) ||
  (row.status === "processing" && row.expiresAt !== null && now >= row.expiresAt);

/** Records what time has changed of a payment request, which the caller has locked. Resolves to the row as it is then. */
export const recordTime = async (ctx: WriteContext, row: PaymentRow): Promise<PaymentRow> =>
  statusAt(row, ctx.now) === row.status ? row : refreshPayment(ctx, row.id);

/** Mails the receipt of the money that has just arrived, if any has. */
async function mailPart(ctx: WriteContext, row: PaymentRow, amount: number, payment: Attempt | undefined) {
  if (amount <= 0 || !payment || !(await mayMailPayer(ctx.db, row))) return;
  // One that has ended wants no more, although something is due, unless an issued invoice says so.
  const due = ended.includes(row.status) && row.invoiceNumber === null ? 0 : amountDue(row);
  const { effectiveAt, paymentMethod, usesCredit } = payment;
  const part = { id: payment.id, amount, due, effectiveAt, paymentMethod, usesCredit };
  await mailReceipt(ctx, { ...row, kind: "payment_receipt", paymentId: row.id, ...part });
}

const ended: readonly PaymentStatus[] = ["canceled", "expired"];

/** Whether no more money is wanted, nor a card for a trial: it was canceled, or nothing is due. */
const isOver = (row: PaymentRow): boolean =>
  row.canceledAt !== null || (row.isTrial ? isPaidUp(row) : amountMissing(row) === 0);

/**
 * Removes the expiry job of a payment request that can no longer expire. Schedules it again when the payment request is
 * extended, or reopened after a process whose clock was ahead expired it. Its account may have been closed meanwhile,
 * without canceling it; only the job that cancels open payment requests can check that reliably.
 */
async function followExpiry(ctx: WriteContext, row: PaymentRow): Promise<void> {
  const { id: objectId, organizationId, accountId, expiresAt } = row;
  if (!mayExpire(row)) return unschedule(ctx, "payments.expire", objectId);
  if (expiresAt !== null) await schedule(ctx, { kind: "payments.expire", organizationId, objectId, dueAt: expiresAt });
  await schedule(ctx, { kind: "payments.cancel_open", organizationId, objectId: accountId, dueAt: ctx.now });
}

/**
 * Ends the attempts in progress of a payment request that needs no more money: an immediate look-up releases a hold, or
 * ends a confirmation, at the provider. A processing attempt follows once the provider has reported its result.
 */
async function endOthers(
  ctx: WriteContext,
  { organizationId }: PaymentRow,
  attempts: readonly Attempt[],
): Promise<void> {
  for (const { id: objectId } of attempts.filter((attempt) => isUnderWay(attempt) && attempt.status !== "processing")) {
    const kind = isId("sme", objectId) ? "payments.look_up_method" : "payments.lookup";
    await schedule(ctx, { kind, organizationId, objectId, dueAt: ctx.now });
  }
}
