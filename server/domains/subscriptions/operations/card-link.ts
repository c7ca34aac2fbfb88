// POST /v1/subscriptions/{subscription_id}/card_link: a link with which the customer stores another card.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { mailThrottles, senderOf } from "@/server/domains/mails/throttles";
import { mayMailPayer } from "@/server/domains/payments/links/payer";
import { countedOf } from "@/server/domains/payments/mail-request";
import { type PaymentRow, readPayment } from "@/server/domains/payments/store";
import { reserve } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { type AnswerSecret, type Fail, operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { addresseeOf } from "../addressee";
import { cardLinkUrl, makeCardLink } from "../card-link";
import { cardLinkOf } from "../card-link-store";
import { mailCardLink } from "../mails";
import { refusalTo } from "../rules";
import { subscriptionId } from "../schema";
import { findSubscription, lockSubscription, type SubscriptionRow } from "../store";

const cardLink = z
  .strictObject({
    subscription_id: fields.idOut("sub", "The subscription."),
    url: z.string().nullable().meta({
      description: "A secret, for the customer alone. Null in a repeated response once a newer link replaced it.",
    }),
    expires_at: fields.timestamp.meta({ description: "In real time, also in a sandbox whose clock was moved." }),
    mail_id: fields.idOut("mai", "The mail with the link; null if none was asked for.").nullable(),
  })
  .meta({ id: "CardLink", description: "A link with which the customer stores another card for a subscription." });

/** The link is not stored with an Idempotency-Key, but derived again while it is the newest one. */
const linkSecret: AnswerSecret<z.output<typeof cardLink>> = {
  without: (answer) => ({ ...answer, url: null }),
  async restored(stored, tx, runtime) {
    const link = await cardLinkOf(tx, stored.subscription_id);
    const isSame = link !== undefined && iso(link.expiresAt) === stored.expires_at;
    return { ...stored, url: isSame ? cardLinkUrl(runtime, link) : null };
  },
};

export const createCardLink = operation({
  id: "subscriptions.cardLink",
  summary: "Create a link to change the card",
  description:
    "Returns a link to a page on which the customer stores another card, without paying. From then on it is charged " +
    `instead of the present one. The link works once, for ${limits.cardLinkDays} days, and ends with the subscription; a ` +
    "new one ends the one before. With `send`, it is also mailed to the customer; the limits on mails apply.",
  access: rules["subscriptions.write"],
  accessFor: ({ send }) => rules[send ? "mails.send" : "subscriptions.write"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/subscriptions/{subscription_id}/card_link", extension: true },
  input: z
    .strictObject({
      subscription_id: subscriptionId,
      send: z.boolean().default(false).meta({
        description: "Whether to mail it. In the sandbox, not for a subscription that began through a reusable link.",
        example: false,
      }),
    })
    .meta({ id: "CreateCardLink" }),
  output: cardLink,
  secret: linkSecret,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    email_not_verified: 400,
    subscription_not_found: 400,
    invalid_subscription_state: 400,
  },
  async run({ ctx, input: { subscription_id: id, send }, fail }) {
    const seen = await findSubscription(ctx.db, ctx.scope, id);
    const row = (seen && (await lockSubscription(ctx.db, seen.id))) ?? fail("subscription_not_found");
    const refusal = refusalTo("change_card", row);
    if (refusal !== null) return fail("invalid_subscription_state", refusal);
    const link = await makeCardLink(ctx, row);
    const mailId = send ? await sendLink(ctx, row, link.hash, fail) : null;
    ctx.audit({ target: id, detail: { mail_id: mailId } });
    const url = cardLinkUrl(ctx.runtime, link);
    return { subscription_id: id, url, expires_at: iso(link.expiresAt), mail_id: mailId };
  },
});

/** Mails the link, and resolves to the id of the mail. Locks counters. */
async function sendLink(ctx: WriteContext, row: SubscriptionRow, hash: string, fail: Fail<"invalid_request">) {
  const first = await firstOf(ctx, row);
  if (!(await mayMailPayer(ctx.db, first))) {
    return fail("invalid_request", "send: in the sandbox, nobody is mailed about a payment through a reusable link");
  }
  const customer = await addresseeOf(ctx.db, row, first);
  const to = customer?.email ?? fail("invalid_request", "send: the customer has no e-mail");
  await reserve(ctx.db, ctx.realNow, mailThrottles(countedOf(first, to), senderOf(ctx)));
  return (await mailCardLink(ctx, row, { ...first, customer }, { to, hash })).id;
}

async function firstOf({ db }: WriteContext, row: SubscriptionRow): Promise<PaymentRow> {
  const first = await readPayment(db, row.firstPaymentId);
  if (!first) throw new Error(`The payment request ${row.firstPaymentId} no longer exists.`);
  return first;
}
