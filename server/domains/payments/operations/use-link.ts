// A submitted form of a reusable link: makes the payer's own payment request, with a place, and its first attempt.
import * as z from "zod";
import { LostRace } from "@/db/errors";
import type { LineItem } from "@/db/schema/line-values";
import type { Customer } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { lockAccount } from "@/server/domains/accounts/store";
import { cardProvider, providerFor } from "@/server/domains/providers/registry";
import { reserve } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { type Fail, saga } from "@/server/kit/operation";
import { findAttempt } from "../attempt-store";
import { audit, beginAttempt } from "../begin-attempt";
import { chargeCard, type PayIntent } from "../charge-card";
import { attemptKeyOf, isFormToken } from "../form-token";
import { paymentUrl } from "../link";
import { findLinked } from "../linked";
import { customerOfPayer, idOfUse, insertUse } from "../links/begin-use";
import { brakeOf, throttlesOfUses } from "../links/brake";
import { begunHere, ownUse, problemWithPayer } from "../links/own-use";
import { payerOf } from "../links/payer";
import { priceOf } from "../links/rules";
import { isReusable, refusalToUse } from "../links/usage";
import { failureThrottles, formThrottle } from "../pay-throttles";
import { type LinkedPayment, lockPayment, type PaymentRow, readPayment } from "../store";
import { chargingProvider, output as payOutput, recordOutcome, submitted, typed } from "./pay";

/** Text of a form whose size is bounded. It is checked where a message can stand at its field. */
const text = z.string().max(limits.payFormBytes).default("");

const input = z.strictObject({
  token: z.string().max(limits.linkToken),
  form_token: z.string().max(limits.linkToken),
  ...begunHere,
  name: text,
  email: text,
  /** The quantities of adjustable lines, by their index; null for a text that is no quantity. */
  quantities: z.array(z.strictObject({ line: z.int(), quantity: z.int().nullable() })).max(limits.lineItems),
  /** Minor units that the payer chose; null where nothing can be chosen, or for a text that is no amount. */
  amount: z.int().nullable(),
  /** Minor units that the payer was asked to confirm, and did; null without. */
  confirmed: z.int().nullable().default(null),
  /** Minor units that the page showed as the price; null where the payer chooses the amount. */
  price: z.int().nullable(),
  card_number: typed,
  expiry: typed,
  security_code: typed,
});

const output = payOutput.extend({
  /** The page of the payer's own payment request; null if none was made. */
  payment_url: z.string().nullable(),
});

type Answer = z.input<typeof output>;

type Refusal = Fail<"payment_not_found" | "form_expired" | "link_used_up" | "payment_expired" | "payment_not_payable">;

export const useLink = saga({
  id: "payments.useLink",
  summary: "Pay through a reusable link",
  access: rules["pay.link"],
  idempotent: false,
  input,
  output,
  errors: {
    payment_not_found: 404,
    form_expired: 400,
    payment_expired: 400,
    payment_not_payable: 400,
    link_used_up: 400,
  },
  async begin({ ctx: call, input, fail }): Promise<{ intent: PayIntent } | { answer: Answer; unchanged?: boolean }> {
    const { ctx, ...linked } = (await findLinked(call, input.token)) ?? fail("payment_not_found");
    const { keys } = ctx.runtime;
    if (!isReusable(linked.payment)) return fail("form_expired");
    if (!isFormToken(keys, "use", linked.payment.id, input.form_token, ctx.realNow)) return fail("form_expired");
    const attemptKey = attemptKeyOf(input.form_token);
    const known = await knownUse(ctx, linked.payment, input);
    if (known) return { answer: known, unchanged: true };
    const wish = wishOf(ctx, linked, input, fail);
    if ("problems" in wish) return { answer: await refuse(ctx, linked, wish.problems) };
    const { email } = wish.customer;
    const problem = await problemWithPayer(ctx, linked.payment, email);
    if (problem) return { answer: await refuse(ctx, linked, [problem]) };
    const { link, payer } = await lockedLink(ctx, linked, wish.customer, fail);
    if ((await knownUse(ctx, link.payment, input)) || (await problemWithPayer(ctx, link.payment, email))) {
      throw new LostRace(new Error("The payer sent two forms at once."));
    }
    const provider = await chargingProvider(ctx, link, wish.amount, fail);
    const id = idOfUse(ctx, link.payment);
    await reserve(ctx.db, ctx.realNow, [
      ...failureThrottles(ctx, { id, cardsAllowedAt: null }),
      ...throttlesOfUses(ctx, link.payment.id),
      ...(await brakeOf(ctx, link.payment.id)),
    ]);
    const { amount, lineItems } = wish;
    const use = await insertUse(ctx, link.payment, { id, amount, lineItems, payer });
    return { intent: await beginAttempt(ctx, use, { provider: provider.name, attemptKey, amount }) };
  },
  perform: chargeCard,
  async finish(call): Promise<Answer> {
    const answer = await recordOutcome(call);
    const use = await readPayment(call.ctx.db, answer.payment_id);
    const isKept = use !== undefined && answer.result === "submitted";
    return { ...answer, payment_url: isKept ? paymentUrl(call.ctx.runtime, use) : null };
  },
});

/**
 * The answer about the use that this form has begun already, or that another form of its browser is still paying: then
 * the payer has to say first whether that is somebody else's. Null without such a use.
 */
async function knownUse(ctx: WriteContext, link: PaymentRow, form: z.output<typeof input>): Promise<Answer | null> {
  const earlier = await findAttempt(ctx.db, attemptKeyOf(form.form_token));
  if (earlier) {
    const use = await readPayment(ctx.db, earlier.paymentId ?? "");
    return { ...submitted(use?.id ?? "", earlier), payment_url: use ? paymentUrl(ctx.runtime, use) : null };
  }
  return (await ownUse(ctx.db, link.id, form)) ? notCharged(link, ["begun_before"]) : null;
}

/** The answer to a form that makes no attempt. */
const notCharged = (link: PaymentRow, problems: string[]): Answer => ({
  ...{ payment_id: link.id, result: "refused", problems, action_url: null, payment_url: null },
});

/** The same link once its row is locked, so that places are given one at a time, and the customer that pays. */
async function lockedLink(ctx: WriteContext, linked: LinkedPayment, customer: Customer, fail: Refusal) {
  const { id, organizationId, accountId } = linked.payment;
  const scope = { organizationId, ownerUserId: null, accountId: null };
  const account = await lockAccount(ctx.db, scope, accountId, "share");
  const payer = await customerOfPayer(ctx, linked.payment, customer);
  const payment = await lockPayment(ctx.db, id);
  if (!account || !payment) return fail("payment_not_found");
  const refusal = refusalToUse(payment, ctx.now);
  return refusal === null ? { link: { payment, account }, payer } : fail(refusal);
}

interface Wish {
  amount: number;
  lineItems: LineItem[];
  customer: Customer;
}

/** What the payer wants to pay for, and who it is; or the problems with the form. */
function wishOf(
  ctx: WriteContext,
  { payment }: LinkedPayment,
  form: z.output<typeof input>,
  fail: Refusal,
): Wish | { problems: string[] } {
  const refusal = refusalToUse(payment, ctx.now);
  if (refusal !== null) return fail(refusal);
  const name = cardProvider(payment.livemode) ?? fail("payment_not_payable");
  const quantities = new Map(form.quantities.map(({ line, quantity }) => [line, quantity]));
  const price = priceOf(payment, { quantities, amount: form.amount, confirmed: form.confirmed });
  const payer = payerOf(form);
  const { card_number, expiry, security_code } = form;
  const card = providerFor(ctx.runtime, name, payment.livemode).check({ card_number, expiry, security_code });
  // Nothing is charged that the payer has not seen.
  const isOther = "amount" in price && payment.customAmount === null && price.amount !== form.price;
  if ("amount" in price && "customer" in payer && !isOther && card.length === 0) return { ...price, ...payer };
  // Whoever confirms the amount enters the card again, so the card is not looked at before.
  if ("problem" in price && price.problem === "amount_unconfirmed" && "customer" in payer) {
    return { problems: [price.problem] };
  }
  return {
    problems: [
      ...(isOther ? ["total_changed"] : []),
      ...("problem" in price && price.problem !== "amount_unconfirmed" ? [price.problem] : []),
      ...("problems" in payer ? payer.problems : []),
      ...card,
    ],
  };
}

/** Counts a form that makes no attempt, and names its problems. */
async function refuse(ctx: WriteContext, { payment }: LinkedPayment, problems: string[]): Promise<Answer> {
  await reserve(ctx.db, ctx.realNow, [formThrottle(ctx, payment.id)]);
  audit(ctx, payment, { refused: problems });
  return notCharged(payment, problems);
}
