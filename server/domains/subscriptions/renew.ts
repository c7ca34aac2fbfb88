// A renewal: the payment request of a new period, and the charge of the stored card for it.
import type { CatchUpRule } from "@/db/schema/values";
import { organizationById } from "@/server/domains/organizations/organization";
import { announce as announcePayment } from "@/server/domains/payments/announce";
import { beginAttempt } from "@/server/domains/payments/begin-attempt";
import type { PayIntent } from "@/server/domains/payments/charge-card";
import { addressColumns } from "@/server/domains/payments/customers";
import { amountDue } from "@/server/domains/payments/derive";
import { beginFinal, finalColumns } from "@/server/domains/payments/draft";
import { factsOf } from "@/server/domains/payments/facts";
import { renewalKeyOf } from "@/server/domains/payments/form-token";
import { type MethodRow, readMethod } from "@/server/domains/payments/methods/store";
import { defaultExpiryMs, refusalToCharge } from "@/server/domains/payments/rules";
import { writeWords } from "@/server/domains/payments/search-words";
import { insertPayment, type PaymentRow, readPayment } from "@/server/domains/payments/store";
import { needsCustomer } from "@/server/domains/providers/provider";
import { cardProvider } from "@/server/domains/providers/registry";
import { hasRoomFor } from "@/server/domains/transactions/balances";
import type { WriteContext } from "@/server/kit/context";
import { hourMs } from "@/server/kit/limits";
import { addresseeOf } from "./addressee";
import { changeSubscription } from "./change";
import { renewalFailed } from "./failed";
import { afterPauses, chargeAt, nextAct, periodOf } from "./rules";
import { insertCycle, type SubscriptionRow } from "./store";

/** A charge of a stored card that has begun. */
export interface Charge {
  intent: PayIntent;
  methodReference: string;
}

/** How long a retry waits if the customer is paying on the page. */
const busyMs = hourMs;

/**
 * Begins the next period: its payment request, and the charge of the stored card. A period that has passed as a whole,
 * because the server did not run, is left to the customer, unless the organization charges all or it is the last cycle.
 */
export async function renew(ctx: WriteContext, row: SubscriptionRow): Promise<Charge | null> {
  const { catchUp } = await organizationById(ctx.db, row.organizationId);
  const { begun, payment, isMissed } = await beginPeriod(ctx, row, catchUp);
  return isMissed ? null : charge(ctx, begun, payment);
}

/**
 * Begins the periods that are due when a subscription is paused, without charging them, up to the first one that the
 * organization charges. That one is charged after the pause, and then those that are left. None begins while a renewal is
 * under way or not paid.
 */
export async function withBegunPeriods(ctx: WriteContext, row: SubscriptionRow): Promise<SubscriptionRow> {
  const { catchUp } = await organizationById(ctx.db, row.organizationId);
  let begun = row;
  for (let act = nextAct(begun, ctx.now); act?.act === "renew" && act.at <= ctx.now; act = nextAct(begun, ctx.now)) {
    const period = await beginPeriod(ctx, begun, catchUp);
    begun = period.begun;
    if (!period.isMissed) return changeSubscription(ctx, begun, { retryAt: ctx.now }, null);
  }
  return begun;
}

async function beginPeriod(ctx: WriteContext, row: SubscriptionRow, catchUp: CatchUpRule) {
  const cycle = row.nextCycle;
  const { periodStart, periodEnd } = periodOf(row, cycle);
  const isLast = row.cyclesBegun + 1 === row.cycles;
  const nextCycle = afterPauses(row, cycle + 1);
  // The newest period before a pause is charged after it.
  const isNewest = periodEnd > ctx.now || nextCycle > cycle + 1;
  const isMissed = catchUp === "latest" && !isNewest && !isLast;
  const payment = await newRenewal(ctx, row);
  const { id: subscriptionId, organizationId, amount } = row;
  const own = { subscriptionId, cycle, paymentId: payment.id, organizationId, amount, isMissed };
  await insertCycle(ctx.db, { ...own, periodStart, periodEnd, createdAt: ctx.now });
  const counts = { cyclesBegun: row.cyclesBegun + 1, nextCycle, latestPaymentId: payment.id };
  const period = { currentPeriodStart: periodStart, currentPeriodEnd: periodEnd };
  const nextChargeAt = chargeAt({ ...row, ...counts }, nextCycle);
  const change = { ...counts, ...period, nextChargeAt };
  const event = isMissed ? "updated" : null;
  const begun = await changeSubscription(ctx, row, change, event, { payment_id: payment.id, cycle });
  return { begun, payment, isMissed };
}

/** Tries the renewal that is open again. */
export async function retry(ctx: WriteContext, row: SubscriptionRow): Promise<Charge | null> {
  const payment = await readPayment(ctx.db, row.latestPaymentId);
  if (!payment) throw new Error(`The payment request ${row.latestPaymentId} no longer exists.`);
  if (refusalToCharge(await factsOf(ctx.db, payment), ctx.now) === "payment_processing") {
    await changeSubscription(ctx, row, { retryAt: ctx.now + busyMs }, null);
    return null;
  }
  return charge(ctx, row, payment);
}

/** Begins the charge of the stored card. Null, with the renewal failed, if it cannot be charged. */
async function charge(ctx: WriteContext, row: SubscriptionRow, payment: PaymentRow): Promise<Charge | null> {
  const method = await chargeable(ctx, row, payment);
  if (method?.providerReference == null) {
    await renewalFailed(ctx, row, payment, needsCustomer);
    return null;
  }
  const attemptKey = renewalKeyOf(payment.id, payment.attemptCount);
  const begun = { provider: method.provider, attemptKey, amount: amountDue(payment) };
  const intent = await beginAttempt(ctx, payment, begun);
  await changeSubscription(ctx, row, { attemptId: intent.transaction, retryAt: null }, null);
  return { intent, methodReference: method.providerReference };
}

/** The stored card, if it may be charged for the payment request; undefined otherwise. */
async function chargeable(
  ctx: WriteContext,
  row: SubscriptionRow,
  payment: PaymentRow,
): Promise<MethodRow | undefined> {
  const method = row.methodId === null ? undefined : await readMethod(ctx.db, row.methodId);
  if (!method || row.isMethodRefused || method.provider !== cardProvider(payment.livemode)) return undefined;
  // What payers have used up on the page does not count: the card is the customer's, and anybody may have the link.
  if (refusalToCharge(await factsOf(ctx.db, payment), ctx.now) !== null) return undefined;
  const requested = { ...payment, provider: method.provider, amount: amountDue(payment) };
  return (await hasRoomFor(ctx.db, requested)) ? method : undefined;
}

/** The payment request of the next period. It says what the subscription says, to the customer as it is now. */
async function newRenewal(ctx: WriteContext, row: SubscriptionRow): Promise<PaymentRow> {
  const first = await readPayment(ctx.db, row.firstPaymentId);
  if (!first) throw new Error(`The payment request ${row.firstPaymentId} no longer exists.`);
  const id = ctx.id("pay");
  const customer = await addresseeOf(ctx.db, row, first);
  const { organizationId, accountId, amount, currency, livemode, lineItems, description, metadata } = row;
  const { subscription, successUrl, cancelUrl, locale } = first;
  const payment = await insertPayment(ctx.db, {
    ...{ id, organizationId, accountId, type: "subscription", amount, currency, livemode },
    ...addressColumns({ customerId: row.customerId, customer }),
    ...finalColumns(id, ctx.runtime.keys),
    ...{ lineItems, description, metadata, subscription, successUrl, cancelUrl, locale },
    ...{ subscriptionId: row.id, isRenewal: true, captureMethod: "automatic" },
    ...{ expiresAt: ctx.now + defaultExpiryMs, createdAt: ctx.now, updatedAt: ctx.now },
  });
  if (!payment) throw new Error(`The renewal ${id} has a reference.`);
  await writeWords(ctx.db, payment);
  announcePayment(ctx, "payment.created", null, payment, { subscription_id: row.id });
  await beginFinal(ctx, payment, null);
  return payment;
}
