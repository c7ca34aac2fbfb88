// A submitted pay form: one attempt per form, however often it is sent; other tabs are refused while it is in progress.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { inTimeOf } from "@/server/domains/organizations/time";
import { type ChargeResult, notReceived, type PaymentProvider } from "@/server/domains/providers/provider";
import { cardProvider, providerFor } from "@/server/domains/providers/registry";
import { hasRoomFor } from "@/server/domains/transactions/balances";
import { giveBack, reserve } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { type Fail, saga } from "@/server/kit/operation";
import { findAttempt } from "../attempt-store";
import { audit, beginAttempt } from "../begin-attempt";
import { chargeCard, type PayIntent } from "../charge-card";
import { chargeOf, choices } from "../choices";
import { amountDue } from "../derive";
import { factsOf } from "../facts";
import { attemptKeyOf, isFormToken, payFormKind } from "../form-token";
import { lockByLink } from "../linked";
import { brakeOf, notePaid } from "../links/brake";
import { problemsWithUse } from "../links/own-use";
import { checkPlace, releaseExcess } from "../links/reserve-place";
import { isReusable } from "../links/usage";
import { failureThrottles, formThrottle } from "../pay-throttles";
import { isAvailable, refusalToPay } from "../rules";
import { settleAttempt } from "../settle-attempt";
import { type LinkedPayment, lockPayment, type PaymentRow } from "../store";

/** Text from a card field. It is cut at a length that no valid value reaches, so that longer text is invalid. */
export const typed = z
  .string()
  .default("")
  .transform((value) => value.slice(0, limits.cardForm.text));

const input = z.strictObject({
  token: z.string().max(limits.linkToken),
  form_token: z.string().max(limits.linkToken),
  choice: z.enum(choices).default("all"),
  /** Minor units of the choice, as shown or typed; null if the form does not tell. */
  amount: z.int().nullable().default(null),
  /** Minor units of all that was due when the form was shown; null if the form does not tell. */
  amount_due: z.int().nullable().default(null),
  card_number: typed,
  expiry: typed,
  security_code: typed,
});

export const output = z.strictObject({
  payment_id: z.string(),
  result: z.enum(["submitted", "refused"]),
  /** For a refused form: the problems with its fields. */
  problems: z.array(z.string()),
  /** Where the payer must go to confirm the payment. */
  action_url: z.string().nullable(),
});

type Answer = z.input<typeof output>;

type Refusal = Fail<
  "payment_processing" | "payment_already_paid" | "payment_expired" | "payment_not_payable" | "link_used_up"
>;

export const pay = saga({
  id: "payments.pay",
  summary: "Pay through a pay link",
  access: rules["pay.link"],
  idempotent: false,
  input,
  output,
  errors: {
    payment_not_found: 404,
    form_expired: 400,
    payment_processing: 400,
    payment_already_paid: 400,
    payment_expired: 400,
    payment_not_payable: 400,
    link_used_up: 400,
  },
  async begin({ ctx: call, input, fail }): Promise<{ intent: PayIntent } | { answer: Answer; unchanged?: boolean }> {
    // Locked until the transaction ends, so that its attempts start one at a time.
    const linked = (await lockByLink(call, input.token)) ?? fail("payment_not_found");
    const { ctx, payment } = linked;
    if (isReusable(payment)) return fail("form_expired");
    const kind = payFormKind(payment);
    if (!isFormToken(ctx.runtime.keys, kind, payment.id, input.form_token, ctx.realNow)) return fail("form_expired");
    const attemptKey = attemptKeyOf(input.form_token);
    const earlier = await findAttempt(ctx.db, attemptKey);
    if (earlier) return { answer: submitted(payment.id, earlier), unchanged: true };
    const { choice, amount, amount_due: due, ...card } = input;
    const charge = chargeOf(payment, { choice, amount, due }, ctx.now);
    const provider = await payableThrough(ctx, linked, "amount" in charge ? charge.amount : amountDue(payment), fail);
    const problems = [
      ...("problem" in charge ? [charge.problem] : []),
      ...(await problemsWithUse(ctx, payment)),
      ...provider.check(card),
    ];
    if ("problem" in charge || problems.length > 0) {
      await reserve(ctx.db, ctx.realNow, [formThrottle(ctx, payment.id)]);
      audit(ctx, payment, { refused: problems });
      return { answer: { payment_id: payment.id, result: "refused", problems, action_url: null } };
    }
    const counted = [...failureThrottles(ctx, payment), ...(await brakeOf(ctx, payment.parentPaymentId))];
    await reserve(ctx.db, ctx.realNow, counted);
    return { intent: await beginAttempt(ctx, payment, { provider: provider.name, attemptKey, amount: charge.amount }) };
  },
  perform: chargeCard,
  finish: recordOutcome,
});

interface Recording {
  ctx: WriteContext;
  intent: PayIntent;
  outcome: ChargeResult | null;
}

/** Records what the provider answered about an attempt. */
export async function recordOutcome({ ctx: call, intent, outcome }: Recording): Promise<Answer> {
  const ctx = await inTimeOf(call, intent.organization);
  const row = await lockPayment(ctx.db, intent.payment);
  if (!row) throw new Error(`The payment request ${intent.payment} no longer exists.`);
  audit(ctx, row, { transaction: intent.transaction, outcome: outcome?.status ?? null });
  const attempt = outcome && (await settleAttempt(ctx, intent.transaction, outcome));
  if (!countsAsFailed(outcome)) await creditBack(ctx, row, outcome);
  if (attempt && (await releaseExcess(ctx, attempt))) {
    return { payment_id: row.id, result: "refused", problems: ["too_many_unconfirmed"], action_url: null };
  }
  return submitted(row.id, attempt);
}

/** Takes back what was counted as a failed attempt, now or when the attempt began (`begunAt`, epoch ms). */
export async function creditBack(
  ctx: WriteContext,
  payment: PaymentRow,
  outcome: ChargeResult | null,
  begunAt: number | null = null,
) {
  const { parentPaymentId: link } = payment;
  const counted = [...failureThrottles(ctx, payment), ...(await brakeOf(ctx, link))];
  await giveBack(ctx.db, ctx.realNow, counted, begunAt);
  const isPaid = outcome?.status === "succeeded" || outcome?.status === "authorized";
  if (link !== null && isPaid) await notePaid(ctx, link);
}

/**
 * Whether the attempt counts as failed: a decline does, and a confirmation until the payer gives it. A lost answer does
 * not.
 */
export const countsAsFailed = (outcome: ChargeResult | null): boolean =>
  outcome?.status === "requires_action" ||
  (outcome?.status === "declined" && outcome.failure?.code !== notReceived.code);

export const submitted = (paymentId: string, attempt: { actionUrl: string | null } | null): Answer => ({
  payment_id: paymentId,
  result: "submitted",
  problems: [],
  action_url: attempt?.actionUrl ?? null,
});

/** The provider that charges the card. Fails if the amount cannot be paid or no provider is available. */
async function payableThrough(
  ctx: WriteContext,
  linked: LinkedPayment,
  amount: number,
  fail: Refusal,
): Promise<PaymentProvider> {
  const refusal = refusalToPay(await factsOf(ctx.db, linked.payment), ctx.now);
  if (refusal !== null) return fail(refusal);
  await checkPlace(ctx, linked.payment, fail);
  return chargingProvider(ctx, linked, amount, fail);
}

/** The provider that charges a card for the account, whatever the payment request says. */
export async function chargingProvider(
  ctx: WriteContext,
  { payment, account }: LinkedPayment,
  amount: number,
  fail: Fail<"payment_not_payable">,
): Promise<PaymentProvider> {
  const name = cardProvider(payment.livemode);
  if (!isAvailable(account) || name === null) return fail("payment_not_payable");
  const requested = { ...payment, provider: name, amount };
  if (!payment.isTrial && !(await hasRoomFor(ctx.db, requested))) return fail("payment_not_payable");
  return providerFor(ctx.runtime, name, payment.livemode);
}
