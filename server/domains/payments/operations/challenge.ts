// The sandbox's confirmation page (3-D Secure), in place of the cardholder's bank: its content and the payer's answer.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { organizationById } from "@/server/domains/organizations/organization";
import { inTimeOf } from "@/server/domains/organizations/time";
import { inTime } from "@/server/domains/providers/in-time";
import type { ChargeResult } from "@/server/domains/providers/provider";
import { type SandboxChallenge, sandboxProvider } from "@/server/domains/providers/sandbox";
import { chargeReference } from "@/server/domains/providers/sandbox-rules";
import { giveBack, reserve } from "@/server/fairness/throttle";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
import { type Intent, operation, saga } from "@/server/kit/operation";
import { findByAttempt } from "../attempt-links-store";
import { paymentUrl } from "../link";
import { localesForPayer } from "../links/payer";
import { readMethod } from "../methods/store";
import { failureThrottles, formThrottle, onCardPages } from "../pay-throttles";
import { settleAttempt } from "../settle-attempt";
import { type LinkedPayment, type PaymentRow, readPayment } from "../store";
import { subscriptions } from "../subscriptions";
import { creditBack } from "./pay";

const reference = z.string().regex(chargeReference).meta({ description: "The sandbox's reference for the charge." });

type Context = Pick<ReadContext, "db" | "runtime">;

const page = z.strictObject({
  state: z.enum(["open", "answered"]),
  account_name: z.string(),
  amount: z.int(),
  currency: z.string(),
  brand: z.string().nullable(),
  last4: z.string().nullable(),
  /** The pay page or that of a card link, to return to without an answer. */
  return_url: z.string(),
  locales: z
    .array(z.string().nullable())
    .meta({ description: "The payment request's, the customer's, the account's, the organization's." }),
});

/** The page that the payer comes from and returns to: the pay page, or that of a card link. */
async function returnUrl({ db, runtime }: Context, attempt: string, { payment }: LinkedPayment): Promise<string> {
  const method = isId("sme", attempt) ? await readMethod(db, attempt) : undefined;
  if (method?.cardLink != null) return subscriptions().cardPageUrl(db, runtime, method.cardLink);
  return paymentUrl(runtime, payment) ?? runtime.env.appUrl;
}

const challengeOf = (ctx: Context, name: string): Promise<SandboxChallenge | undefined> =>
  sandboxProvider(ctx.runtime, false).findChallenge(ctx.db, name);

export const viewChallenge = operation({
  id: "sandbox.challenge",
  summary: "Open the sandbox's confirmation page",
  access: rules["pay.link"],
  effect: "read",
  input: z.strictObject({ reference }),
  output: page,
  errors: { payment_not_found: 404 },
  async run({ ctx, input, fail }) {
    const challenge = (await challengeOf(ctx, input.reference)) ?? fail("payment_not_found");
    const linked = (await findByAttempt(ctx.db, challenge.transactionId)) ?? fail("payment_not_found");
    const { amount, currency, method, isOpen } = challenge;
    const { locale } = await organizationById(ctx.db, linked.payment.organizationId);
    return {
      state: isOpen ? ("open" as const) : ("answered" as const),
      account_name: linked.account.name,
      amount,
      currency,
      brand: method.brand,
      last4: method.last4,
      return_url: await returnUrl(ctx, challenge.transactionId, linked),
      locales: [...(await localesForPayer(ctx.db, linked.payment, linked.account)), locale],
    };
  },
});

interface Answering extends Intent {
  organization: string;
  payment: string;
  transaction: string;
}

export const answerChallenge = saga({
  id: "sandbox.answerChallenge",
  summary: "Confirm a sandbox payment, or fail its confirmation",
  access: rules["pay.link"],
  idempotent: false,
  input: z.strictObject({ reference, answer: z.enum(["complete", "fail"]) }),
  output: z.strictObject({ return_url: z.string() }),
  errors: { payment_not_found: 404 },
  async begin({
    ctx,
    input,
    fail,
  }): Promise<{ intent: Answering } | { answer: { return_url: string }; unchanged: true }> {
    const challenge = (await challengeOf(ctx, input.reference)) ?? fail("payment_not_found");
    const linked = (await findByAttempt(ctx.db, challenge.transactionId)) ?? fail("payment_not_found");
    const { payment } = linked;
    if (!challenge.isOpen) {
      return { answer: { return_url: await returnUrl(ctx, challenge.transactionId, linked) }, unchanged: true };
    }
    await reserve(ctx.db, ctx.realNow, [formThrottle(ctx, payment.id)]);
    ctx.audit({
      target: payment.id,
      organizationId: payment.organizationId,
      detail: { transaction: challenge.transactionId, answer: input.answer },
    });
    return {
      intent: { organization: payment.organizationId, payment: payment.id, transaction: challenge.transactionId },
    };
  },
  async perform({ ctx, input, intent }): Promise<{ charge: ChargeResult; isFirst: boolean }> {
    const { runtime } = await inTimeOf(ctx, intent.organization);
    return inTime((signal) => sandboxProvider(runtime, false).answerChallenge(input.reference, input.answer, signal));
  },
  async finish({ ctx: call, intent, outcome: { charge, isFirst }, fail }) {
    const ctx = await inTimeOf(call, intent.organization);
    const attempt = await settleAttempt(ctx, intent.transaction, charge);
    const payment = await readPayment(ctx.db, intent.payment);
    // Of answers that are sent at the same time, one takes back what was counted once.
    if (isFirst && charge.status !== "declined" && payment) await forgive(ctx, attempt, payment, charge);
    const linked = (await findByAttempt(ctx.db, attempt.id)) ?? fail("payment_not_found");
    const { organizationId } = attempt;
    ctx.audit({ target: intent.payment, organizationId, detail: { outcome: charge.status } });
    return { return_url: await returnUrl(ctx, attempt.id, linked) };
  },
});

/** Takes back what was counted as a failed attempt where it was counted: on the pay page, or on those for another card. */
async function forgive(
  ctx: WriteContext,
  { id, createdAt }: { id: string; createdAt: number },
  payment: PaymentRow,
  outcome: ChargeResult,
): Promise<void> {
  const method = isId("sme", id) ? await readMethod(ctx.db, id) : undefined;
  if (method?.cardLink == null) return creditBack(ctx, payment, outcome, createdAt);
  await giveBack(ctx.db, ctx.realNow, failureThrottles(ctx, onCardPages(payment.id)), createdAt);
}
