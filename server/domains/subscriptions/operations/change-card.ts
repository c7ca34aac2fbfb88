// The form of a card link's page: stores another card at the provider, without money, for the subscription.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { inTimeOf } from "@/server/domains/organizations/time";
import { challengedMethodOf } from "@/server/domains/payments/attempt-store";
import { chargeCard, type PayIntent } from "@/server/domains/payments/charge-card";
import { attemptKeyOf, isFormToken } from "@/server/domains/payments/form-token";
import { beginStoring } from "@/server/domains/payments/methods/begin";
import { settleMethod } from "@/server/domains/payments/methods/settle";
import { methodByKey, withLink } from "@/server/domains/payments/methods/store";
import {
  beginLeaving,
  type Leaving,
  leaveAttempt,
  recordLeaving,
} from "@/server/domains/payments/operations/leave-challenge";
import { countsAsFailed, typed } from "@/server/domains/payments/operations/pay";
import { failureThrottles, formThrottle, onCardPages } from "@/server/domains/payments/pay-throttles";
import { cardProvider, providerFor } from "@/server/domains/providers/registry";
import { giveBack, reserve } from "@/server/fairness/throttle";
import { limits } from "@/server/kit/limits";
import { saga } from "@/server/kit/operation";
import { cardStateOf, lockLinkedCard } from "../card-link";

const token = z.string().max(limits.linkToken);

const output = z.strictObject({
  result: z.enum(["submitted", "refused"]),
  /** For a refused form: the problems with its fields. */
  problems: z.array(z.string()),
  /** Where the customer must go to confirm the card. */
  action_url: z.string().nullable(),
});

type Answer = z.input<typeof output>;

/** An attempt that has begun. */
interface CardIntent extends PayIntent {
  subscription: string;
}

const submitted = (attempt: { actionUrl: string | null } | null): Answer => ({
  result: "submitted",
  problems: [],
  action_url: attempt?.actionUrl ?? null,
});

export const changeCard = saga({
  id: "subscriptions.changeCard",
  summary: "Store another card for a subscription",
  access: rules["pay.link"],
  idempotent: false,
  input: z.strictObject({ token, form_token: token, card_number: typed, expiry: typed, security_code: typed }),
  output,
  errors: { subscription_not_found: 404, invalid_subscription_state: 400, form_expired: 400 },
  async begin({ ctx: call, input, fail }): Promise<{ intent: CardIntent } | { answer: Answer; unchanged?: boolean }> {
    // Locked until the transaction ends, so that its attempts start one at a time.
    const { ctx, linked } = (await lockLinkedCard(call, input.token)) ?? fail("subscription_not_found");
    const { link, row, first } = linked;
    if (!isFormToken(ctx.runtime.keys, "card", link.hash, input.form_token, ctx.realNow)) return fail("form_expired");
    const attemptKey = attemptKeyOf(input.form_token);
    const earlier = await methodByKey(ctx.db, attemptKey);
    if (earlier) return { answer: submitted(earlier), unchanged: true };
    const name = cardProvider(row.livemode);
    if ((await cardStateOf(ctx, linked)).state !== "open" || name === null) return fail("invalid_subscription_state");
    const { card_number, expiry, security_code } = input;
    const problems = providerFor(ctx.runtime, name, row.livemode).check({ card_number, expiry, security_code });
    const { organizationId } = row;
    if (problems.length > 0) {
      await reserve(ctx.db, ctx.realNow, [formThrottle(ctx, first.id)]);
      ctx.audit({ target: row.id, organizationId, detail: { refused: problems } });
      return { answer: { result: "refused", problems: [...problems], action_url: null } };
    }
    await reserve(ctx.db, ctx.realNow, failureThrottles(ctx, onCardPages(first.id)));
    const given = { provider: name, attemptKey, cardLink: link.hash, customerId: row.customerId };
    const intent = await beginStoring(ctx, first, given);
    ctx.audit({ target: row.id, organizationId, detail: { method: intent.transaction } });
    return { intent: { ...intent, subscription: row.id } };
  },
  perform: (call) => chargeCard(call),
  async finish({ ctx: call, intent, outcome }) {
    const { organization: organizationId, subscription: target, transaction, payment } = intent;
    const ctx = await inTimeOf(call, organizationId);
    const method = outcome === null ? null : await settleMethod(ctx, transaction, outcome);
    if (!countsAsFailed(outcome)) await giveBack(ctx.db, ctx.realNow, failureThrottles(ctx, onCardPages(payment)));
    ctx.audit({ target, organizationId, detail: { method: transaction, outcome: outcome?.status ?? null } });
    return submitted(method);
  },
});

export const leaveCard = saga({
  id: "subscriptions.leaveCard",
  summary: "Give up confirming a card",
  access: rules["pay.link"],
  idempotent: false,
  input: z.strictObject({ token }),
  output: z.strictObject({ payment_id: z.string().nullable() }),
  errors: {},
  async begin({
    ctx: call,
    input,
  }): Promise<{ intent: Leaving } | { answer: { payment_id: string | null }; unchanged: true }> {
    const found = await lockLinkedCard(call, input.token);
    if (!found) return { answer: { payment_id: null }, unchanged: true };
    const { ctx, linked } = found;
    const { id: payment, organizationId } = linked.first;
    const attempt = await challengedMethodOf(ctx.db, withLink(payment, linked.link.hash));
    if (!attempt?.provider || !attempt.providerReference) return { answer: { payment_id: payment }, unchanged: true };
    const { id: transaction, provider, providerReference: reference, livemode } = attempt;
    const intent = { payment, organizationId, transaction, provider, reference, livemode };
    await beginLeaving(ctx, intent, attempt);
    return { intent };
  },
  perform: leaveAttempt,
  finish: recordLeaving,
});
