// Updates a subscription when one of its payment requests changes, settled by the job, a look-up or the payer.
import type { Tx } from "@/db/client";
import { readAccount } from "@/server/domains/accounts/store";
import { type Attempt, isPaidUp, isUnderWay } from "@/server/domains/payments/derive";
import { timezoneOf } from "@/server/domains/payments/due-date";
import { fixedAmount } from "@/server/domains/payments/fixed-amount";
import { isReusable } from "@/server/domains/payments/links/usage";
import { forgetOthers, keepMethod } from "@/server/domains/payments/methods/keep";
import { attemptsOf, type PaymentRow, updatePayment } from "@/server/domains/payments/store";
import { notReceived } from "@/server/domains/providers/provider";
import type { WriteContext } from "@/server/kit/context";
import { hourMs, minuteMs } from "@/server/kit/limits";
import { daysAfter } from "@/server/kit/local-time";
import { announce } from "./announce";
import { awaitDecision } from "./await-decision";
import { changeSubscription } from "./change";
import { endItself } from "./end";
import { renewalFailed } from "./failed";
import { chargeAt, goOnAt, isLive, periodOf } from "./rules";
import {
  cycleOf,
  insertCycle,
  insertSubscription,
  lockSubscriptions,
  markPaid,
  nameCustomer,
  readSubscription,
  type SubscriptionRow,
} from "./store";
import { hasOtherCardSince } from "./use-card";

/** How long until a charge that never reached the provider is made again: after the first, second and third time. */
const notReceivedMs = [5 * minuteMs, 15 * minuteMs, hourMs] as const;

/** The same, after each further time. */
const oftenNotReceivedMs = 6 * hourMs;

/** Locks the subscriptions that follow payment requests, which the caller has locked. */
export const lockFollowing = (tx: Tx, ids: readonly string[]): Promise<void> => lockSubscriptions(tx, ids);

/** Follows a change of a payment request, which the caller has locked. */
export async function followPayment(ctx: WriteContext, before: PaymentRow, after: PaymentRow): Promise<void> {
  const known = after.subscriptionId === null ? null : await namedLike(ctx, after, after.subscriptionId);
  const row = begins(known ?? null, before, after) ? await beginSubscription(ctx, after) : known;
  if (row) await followWith(ctx, row, after);
  await awaitDecision(ctx, before, after);
  const now = row && (await readSubscription(ctx.db, row.id));
  await forgetOthers(ctx, after, now && isLive(now) ? now.methodId : null);
}

/** The subscription, whose customer is known once that of its first payment request is. */
async function namedLike({ db }: WriteContext, { customerId }: PaymentRow, id: string) {
  const row = await readSubscription(db, id);
  if (!row || row.customerId !== null || customerId === null) return row;
  await nameCustomer(db, id, customerId);
  return { ...row, customerId };
}

/** Changes the subscription as its payment request demands. */
async function followWith(ctx: WriteContext, row: SubscriptionRow, after: PaymentRow): Promise<void> {
  const attempt = await endedCharge(ctx, row, after);
  const isFirst = row.firstPaymentId === after.id;
  const hasEnded = attempt !== undefined;
  if (isPaidUp(after)) await (isFirst ? firstPaid(ctx, row, after) : cyclePaid(ctx, row, after, hasEnded));
  else if (isFirst && row.status === "incomplete" && isOver(after)) await endItself(ctx, row, "incomplete");
  else if (isWaived(row, after, hasEnded)) await goOn(ctx, row);
  else if (attempt) await chargeFailed(ctx, row, after, attempt);
}

const isOver = ({ status }: PaymentRow): boolean => ["expired", "canceled"].includes(status);

/** Whether the merchant has canceled the renewal that the subscription waits for, and so given the period away. */
function isWaived(row: SubscriptionRow, after: PaymentRow, hasEnded: boolean): boolean {
  const isWaiting = hasEnded || row.failedAt !== null || row.retryAt !== null;
  return isLive(row) && isWaiting && after.status === "canceled" && row.latestPaymentId === after.id;
}

/** Goes on with the next period, after the pause if there is one. */
async function goOn(ctx: WriteContext, row: SubscriptionRow): Promise<void> {
  const status = row.status === "paused" ? "paused" : "active";
  const none = { attemptId: null, failedAt: null, retries: 0, retryAt: null };
  // Before any failure, periods that have begun meanwhile wait for the worker only.
  const next = row.failedAt === null ? {} : goOnAt(row, ctx.now);
  await changeSubscription(ctx, row, { status, ...none, ...next }, "updated");
}

const isBeingPaid = ({ status }: PaymentRow): boolean =>
  ["processing", "requires_action", "authorized"].includes(status);

/**
 * Whether a subscription begins: with the first attempt, or without one if it was paid otherwise. A payment request that
 * was paid before never begins one.
 */
function begins(known: SubscriptionRow | null, before: PaymentRow, after: PaymentRow): boolean {
  const isNew = known === null || (known.endReason === "incomplete" && known.firstPaymentId === after.id);
  const isBegun = !isBeingPaid(before) && !isPaidUp(before) && (isBeingPaid(after) || isPaidUp(after));
  return isNew && isBegun && !isReusable(after) && after.canceledAt === null && after.subscription !== null;
}

async function beginSubscription(ctx: WriteContext, payment: PaymentRow): Promise<SubscriptionRow> {
  const { organizationId, accountId, customerId, subscription: terms } = payment;
  const { currency, livemode, lineItems, description, metadata } = payment;
  const amount = fixedAmount(payment);
  if (terms === null) throw new Error(`The payment request ${payment.id} has no terms of a subscription.`);
  const id = ctx.id("sub");
  const account = await readAccount(ctx.db, organizationId, accountId);
  const row = await insertSubscription(ctx.db, {
    ...{ id, organizationId, accountId, customerId, status: "incomplete", amount, currency, livemode },
    chargedAmount: amount,
    ...{ lineItems, description, metadata },
    ...{ interval: terms.interval, intervalCount: terms.interval_count, cycles: terms.cycles },
    timezone: await timezoneOf(ctx.db, account),
    ...{ firstPaymentId: payment.id, latestPaymentId: payment.id, createdAt: ctx.now, updatedAt: ctx.now },
  });
  await updatePayment(ctx.db, payment.id, { subscriptionId: id });
  announce(ctx, "created", null, row, { first_payment_id: payment.id });
  return row;
}

/** The charge of the stored card that was under way and has ended; undefined if there is none. */
async function endedCharge(ctx: WriteContext, row: SubscriptionRow, payment: PaymentRow) {
  if (row.attemptId === null || row.latestPaymentId !== payment.id) return undefined;
  const attempts = await attemptsOf(ctx.db, payment);
  return attempts.find((one) => one.id === row.attemptId && !isUnderWay(one));
}

/** The first payment request is paid, or has stored the card of a trial: the first period begins. */
async function firstPaid(ctx: WriteContext, row: SubscriptionRow, payment: PaymentRow): Promise<void> {
  // Else it came after the subscription had ended, or beside another one.
  if (row.status !== "incomplete") return;
  const method = await keepMethod(ctx, payment);
  const trialDays = payment.isTrial ? (payment.subscription?.trial_days ?? 0) : 0;
  const methodId = method?.id ?? null;
  if (trialDays > 0) {
    const trialEndsAt = daysAfter(ctx.now, trialDays, row.timezone);
    const period = { currentPeriodStart: ctx.now, currentPeriodEnd: trialEndsAt };
    const trial = { status: "trialing", anchorAt: trialEndsAt, trialEndsAt, nextChargeAt: trialEndsAt } as const;
    await changeSubscription(ctx, row, { methodId, ...trial, ...period }, "updated");
    return;
  }
  const begun = { ...row, anchorAt: ctx.now, cyclesBegun: 1, cyclesDone: 1, nextCycle: 2 };
  const { periodStart, periodEnd } = periodOf(begun, 1);
  const { id: subscriptionId, organizationId } = row;
  // The amount of the subscription may have changed since the authorization.
  const amount = fixedAmount(payment);
  await insertCycle(ctx.db, {
    ...{ subscriptionId, cycle: 1, paymentId: payment.id, organizationId, amount, periodStart, periodEnd },
    ...{ paidAt: payment.paidAt ?? ctx.now, createdAt: ctx.now },
  });
  const { anchorAt, cyclesBegun, cyclesDone, nextCycle } = begun;
  const period = { currentPeriodStart: periodStart, currentPeriodEnd: periodEnd, nextChargeAt: chargeAt(begun, 2) };
  const counts = { anchorAt, cyclesBegun, cyclesDone, nextCycle, chargedAmount: amount };
  const active = await changeSubscription(
    ...([ctx, row, { status: "active", methodId, ...counts, ...period }, "updated"] as const),
  );
  if (active.cycles === cyclesDone) await endItself(ctx, active, "completed");
}

/**
 * A renewal is paid: by the stored card, or on its page. The card of the page is then the stored one, unless the customer
 * has stored another one since that payment began.
 */
async function cyclePaid(
  ctx: WriteContext,
  row: SubscriptionRow,
  payment: PaymentRow,
  isByStoredCard: boolean,
): Promise<void> {
  const cycle = await cycleOf(ctx.db, payment.id);
  if (!cycle || cycle.paidAt !== null) return;
  await markPaid(ctx.db, cycle, payment.paidAt ?? ctx.now);
  const method = await keepMethod(ctx, payment);
  const charge = method?.transactionId ?? null;
  const isNewest = method !== null && charge !== null && !(await hasOtherCardSince(ctx, row, charge));
  const isLatest = row.latestPaymentId === payment.id;
  const isOpen = isLatest && (row.status === "past_due" || row.status === "trialing" || row.status === "active");
  const from = isByStoredCard ? "current" : "next";
  const late = isLatest && row.status === "past_due" ? goOnAt(row, ctx.now, from) : {};
  const after = await changeSubscription(
    ctx,
    row,
    {
      cyclesDone: row.cyclesDone + 1,
      ...(isNewest && { methodId: method.id, isMethodRefused: false }),
      ...(isLatest && { attemptId: null, failedAt: null, retries: 0, retryAt: null, chargedAmount: cycle.amount }),
      ...(isOpen && { status: "active" }),
      ...late,
    },
    isLive(row) ? "renewed" : "updated",
    { payment_id: payment.id, cycle: cycle.cycle },
  );
  if (isLive(after) && after.cycles !== null && after.cyclesDone >= after.cycles)
    await endItself(ctx, after, "completed");
}

/** The charge of the stored card has failed. A pause keeps that for later. */
async function chargeFailed(
  ctx: WriteContext,
  row: SubscriptionRow,
  payment: PaymentRow,
  { id, failure }: Pick<Attempt, "id" | "failure">,
): Promise<void> {
  if (!isLive(row)) {
    await changeSubscription(ctx, row, { attemptId: null }, null);
  } else if (failure?.code === notReceived.code) {
    const attempts = await attemptsOf(ctx.db, payment);
    const times = attempts.filter((one) => one.failure?.code === notReceived.code).length;
    const retryAt = ctx.now + (notReceivedMs[times - 1] ?? oftenNotReceivedMs);
    await changeSubscription(ctx, row, { attemptId: null, retryAt }, null);
  } else {
    await renewalFailed(ctx, row, payment, failure, id);
  }
}
