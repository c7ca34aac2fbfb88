// Records that an attempt begins, with its payment request locked: the row, its look-up, and what the provider is asked.
import { schedule } from "@/server/domains/jobs/queue";
import { insertTransaction } from "@/server/domains/transactions/record";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { realNow } from "@/server/process/clock";
import { begunNow, type PayIntent } from "./charge-card";
import { insertMethod } from "./methods/store";
import { refreshPayment } from "./refresh";
import type { PaymentRow } from "./store";
import { subscriptions } from "./subscriptions";

interface Beginning {
  provider: string;
  attemptKey: string;
  /** Minor units. */
  amount: number;
}

/** Records that an attempt begins, with its payment request locked. */
export async function beginAttempt(
  ctx: WriteContext,
  payment: PaymentRow,
  { provider, attemptKey, amount }: Beginning,
): Promise<PayIntent> {
  const { organizationId, accountId, currency, livemode, captureMethod } = payment;
  // Read before the deadline is written, so that this process sees the deadline pass no later than any look-up does.
  // Not `ctx.now`: this call may have waited long for its turn since then.
  const begun = begunNow(ctx);
  const given = { provider, attemptKey, amount };
  const attempt = payment.isTrial ? await newMethod(ctx, payment, given) : await newCharge(ctx, payment, given);
  await schedule(ctx, {
    kind: payment.isTrial ? "payments.look_up_method" : "payments.lookup",
    organizationId,
    objectId: attempt,
    // Not from `ctx.realNow`, as above.
    afterMs: realNow(ctx.runtime.clock) - ctx.realNow + limits.charge.firstLookupMs,
  });
  await refreshPayment(ctx, payment.id);
  audit(ctx, payment, { transaction: attempt });
  return {
    ...{ organization: organizationId, account: accountId, payment: payment.id, transaction: attempt },
    ...{ provider, livemode, amount: payment.isTrial ? 0 : amount, currency, captureMethod },
    storesMethod: payment.type === "subscription",
    ...begun,
  };
}

/** The row of an attempt to pay. */
async function newCharge(ctx: WriteContext, payment: PaymentRow, given: Beginning): Promise<string> {
  const { organizationId, accountId, currency, livemode, description, customer, subscriptionId } = payment;
  const isRenewal = payment.isRenewal && subscriptionId !== null;
  const attempt = await insertTransaction(ctx, {
    ...{ id: ctx.id("txn"), organizationId, accountId, type: "payment", status: "processing", direction: "in" },
    ...{ ...given, currency, livemode, paymentId: payment.id, description, customer },
    cardBefore: isRenewal ? await subscriptions().cardOf(ctx, subscriptionId) : null,
    startWithinMs: limits.charge.startMs,
  });
  if (!attempt) throw new Error("An attempt was recorded twice although its payment request was locked.");
  return attempt.id;
}

/** The row of an attempt to store a card without money. */
async function newMethod(ctx: WriteContext, payment: PaymentRow, { provider, attemptKey }: Beginning): Promise<string> {
  const { organizationId, accountId, customerId, livemode } = payment;
  const row = { id: ctx.id("sme"), organizationId, accountId, customerId, paymentId: payment.id, livemode };
  const more = { status: "processing" as const, provider, attemptKey, createdAt: ctx.now, updatedAt: ctx.now };
  return (await insertMethod(ctx.db, { ...row, ...more }, limits.charge.startMs)).id;
}

/** Writes an audit entry about the payment request. */
export const audit = (ctx: WriteContext, payment: PaymentRow, detail: Record<string, unknown>): void =>
  ctx.audit({ target: payment.id, organizationId: payment.organizationId, detail });
