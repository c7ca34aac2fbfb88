// Updates a payment request's row from its transactions, in the transaction that changed them, and emits its events.
import { schedule, unschedule } from "@/server/domains/jobs/queue";
import { hasEvent } from "@/server/domains/records/event-store";
import { mailReceipt } from "@/server/domains/transactions/receipt-mails";
import type { WriteContext } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
import { announce } from "./announce";
import { attemptsOfPayers, hasFailed, isLastDeclined } from "./declines";
import {
  type Attempt,
  amountDue,
  amountOverpaid,
  derivePaymentStatus,
  hadEnded,
  isPaidUp,
  isUnderWay,
  lastPaid,
  mayExpire,
  statusAt,
  totalsOf,
} from "./derive";
import { actionUrlOf, captureBeforeOf, lastErrorOf } from "./from-attempts";
import { followWithCreditNotes } from "./invoices/credit-notes";
import { flagExcess } from "./links/over-limit";
import { mayMailPayer } from "./links/payer";
import { columnsOfUse, endWithLink, latenessOf } from "./links/place";
import { countDecline, followUse, linkOf, refreshLink } from "./links/refresh-link";
import { isReusable } from "./links/usage";
import { followDueDate } from "./overdue";
import { dropReminders, moveReminders, repeatReminders, resumeReminders } from "./reminder-plan";
import type { PaymentStatus } from "./rules";
import { dueAtOf, overpaidOf } from "./stale";
import { refundStatuses } from "./status-tabs";
import { attemptsOf, lockPayment, type PaymentRow, updatePayment } from "./store";
import { subscriptions } from "./subscriptions";
import { decideRefunds } from "./surplus";

type Commands = Pick<PaymentRow, "canceledAt" | "cancellationReason" | "expiresAt" | "expiresAlone" | "viewedAt">;

/**
 * Recomputes the payment request's amounts and status from its transactions and from `commands`, which no transaction
 * records. Emits `payment.*` events for the changes. Throws for an unknown id.
 */
export async function refreshPayment(
  ctx: WriteContext,
  paymentId: string,
  commands: Partial<Commands> = {},
): Promise<PaymentRow> {
  const row = await lockPayment(ctx.db, paymentId);
  if (!row) throw new Error(`No payment request has the id ${paymentId}.`);
  if (isReusable(row)) return refreshLink(ctx, row, commands);
  const attempts = await attemptsOf(ctx.db, row);
  const link = await linkOf(ctx, row);
  const facts = {
    amount: row.amount,
    draft: row.draft,
    expiresAt: commands.expiresAt ?? row.expiresAt,
    canceledAt: commands.canceledAt ?? row.canceledAt ?? endWithLink(link, attempts, ctx.now),
    failedAt: row.failedAt ?? (hasFailed(attemptsOfPayers(attempts, row)) ? ctx.now : null),
    isTrial: row.isTrial,
    attempts,
  };
  const status = derivePaymentStatus(facts, ctx.now);
  const totals = totalsOf(facts);
  const derived = { ...row, ...totals, status };
  if (amountOverpaid(derived, 0) > 0) await decideRefunds(ctx.db, row, attempts);
  const updated = await updatePayment(ctx.db, paymentId, {
    ...totals,
    status,
    amountOverpaid: await overpaidOf(ctx.db, derived, attempts),
    canceledAt: facts.canceledAt,
    cancellationReason: commands.cancellationReason ?? row.cancellationReason,
    expiresAt: facts.expiresAt,
    expiresAlone: commands.expiresAlone ?? row.expiresAlone,
    dueAt: dueAtOf(row, totals),
    failedAt: facts.failedAt,
    viewedAt: commands.viewedAt ?? row.viewedAt,
    // Earlier versions did not set it for one that was paid up after a refund.
    paidAt: row.paidAt ?? (status === "paid" || (!isPaidUp(row) && isPaidUp(derived)) ? ctx.now : null),
    ...columnsOfUse(row, attempts),
    ...latenessOf(link, row, attempts, ctx.now),
    captureBefore: captureBeforeOf(attempts),
    lastError: lastErrorOf(status, facts),
    actionUrl: actionUrlOf(status, attempts),
    version: row.version + 1,
    updatedAt: ctx.now,
  });
  if (!updated) throw new Error(`The payment request ${paymentId} no longer exists although it was locked.`);
  if (isOver(updated)) await endOthers(ctx, updated, attempts);
  const isExtended = updated.expiresAt !== row.expiresAt;
  const events = isExtended ? ["payment.updated"] : await eventsOf(ctx, row, updated);
  if (updated.viewedAt !== row.viewedAt) events.push("payment.viewed");
  if (updated.amountPaid > row.amountPaid && hadEnded(row, ctx.now)) events.push("payment.paid_late");
  if (updated.amountOverpaid > row.amountOverpaid) events.push("payment.overpaid");
  for (const type of events) announce(ctx, type, row, updated);
  await followWithCreditNotes(ctx, row, updated, attempts);
  if (link) await flagExcess(ctx, link, row, updated);
  if (link) await followUse(ctx, link, row, updated);
  const isDeclined = events.includes("payment.attempt_failed") && isLastDeclined(attempts);
  if (link && isDeclined) await countDecline(ctx, link.id);
  if (!isPaidUp(row)) await mailPart(ctx, updated, updated.amountPaid - row.amountPaid, attempts);
  if (isExtended || mayExpire(updated) !== mayExpire(row)) await followExpiry(ctx, updated);
  if (isExtended) await moveReminders(ctx, updated);
  await followDueDate(ctx, row, updated);
  if (updated.dueAt !== row.dueAt && !isOver(updated)) await repeatReminders(ctx, updated);
  if (isOver(updated) && !isOver(row)) await dropReminders(ctx, updated);
  if (row.disputeStatus === "open" && updated.disputeStatus !== "open") await resumeReminders(ctx, updated);
  if (updated.type === "subscription") await subscriptions().follow(ctx, row, updated);
  return updated;
}

/** Records what time has changed of a payment request, which the caller has locked. Resolves to the row as it is then. */
export const recordTime = async (ctx: WriteContext, row: PaymentRow): Promise<PaymentRow> =>
  statusAt(row, ctx.now) === row.status ? row : refreshPayment(ctx, row.id);

/** Mails the receipt of the money that has just arrived, if any has. */
async function mailPart(ctx: WriteContext, row: PaymentRow, amount: number, attempts: readonly Attempt[]) {
  const payment = lastPaid(attempts);
  if (amount <= 0 || !payment || !(await mayMailPayer(ctx.db, row))) return;
  // One that has ended wants no more, although something is due.
  const due = ended.includes(row.status) ? 0 : amountDue(row);
  const part = { id: payment.id, amount, due, usesCredit: payment.usesCredit };
  await mailReceipt(ctx, { ...row, kind: "payment_receipt", paymentId: row.id, ...part });
}

const ended: readonly PaymentStatus[] = ["canceled", "failed", "expired"];

/** Whether no more money is wanted, nor a card for a trial: it was canceled, or nothing is due. */
const isOver = (row: PaymentRow): boolean =>
  row.canceledAt !== null || (row.isTrial ? isPaidUp(row) : amountDue(row) === 0);

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

/** The events of a change. What the customer paid comes first: it is announced whatever was refunded before. */
async function eventsOf(ctx: WriteContext, before: PaymentRow, after: PaymentRow): Promise<string[]> {
  const isPaid = !isPaidUp(before) && isPaidUp(after);
  if (isPaid) return before.status === "authorized" ? ["payment.captured", "payment.paid"] : ["payment.paid"];
  const isMore = after.amountPaid > before.amountPaid && openAfterPart.includes(after.status);
  if (isMore && amountDue(after) > 0) return ["payment.partially_paid"];
  // A surplus has an event of its own. It is not a refund, even if the status then says that a part was refunded.
  if (isMore) return after.status === before.status ? [] : ["payment.updated"];
  if (before.status === "disputed" && (await isAsBefore(ctx, before, after))) return ["payment.updated"];
  if (after.status !== before.status) return eventsOfStatus(before.status, after.status);
  const isSame = after.amountRefunded === before.amountRefunded && after.disputeStatus === before.disputeStatus;
  return isSame && after.amountDisputed === before.amountDisputed ? [] : ["payment.updated"];
}

/**
 * Whether a dispute that has ended leaves nothing new to announce: the customer got nothing back by it, and the payment
 * request did not end meanwhile.
 */
async function isAsBefore(ctx: WriteContext, before: PaymentRow, after: PaymentRow): Promise<boolean> {
  if (["disputed", "canceled", "failed"].includes(after.status)) return false;
  if (after.status === "expired") return hasEvent(ctx.db, after.id, "payment.expired", after.expiresAt ?? 0);
  return after.amountDisputed < before.amountDisputed || !refundStatuses.some((status) => status === after.status);
}

/**
 * The statuses of a payment request of which a part was paid, and possibly refunded, also while another attempt is under
 * way or disputed. Money that arrives after its end has an event of its own.
 */
const openAfterPart: readonly PaymentStatus[] = [
  ...(["partially_paid", "partially_refunded", "refunded"] as const),
  ...(["processing", "requires_action", "disputed"] as const),
];

/** The events of a change from one status to another that is not due to a payment. */
function eventsOfStatus(before: PaymentStatus, after: PaymentStatus): string[] {
  switch (after) {
    case "expired":
      return [before === "authorized" ? "payment.authorization_expired" : "payment.expired"];
    case "pending":
    case "partially_paid":
      return [wasTried(before) ? "payment.attempt_failed" : "payment.updated"];
    // A dispute has events of its own, with its transaction.
    case "disputed":
    case "paid":
    case "draft":
      return ["payment.updated"];
    default:
      return [`payment.${after}`];
  }
}

const wasTried = (status: PaymentStatus): boolean => status === "processing" || status === "requires_action";
