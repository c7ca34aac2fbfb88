// POST /v1/payments/{payment_id}/send: mails a payment request with its pay link.
import * as z from "zod";
import { checkMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import { recipientSecret } from "@/server/domains/mails/answer-secret";
import { mail, presentMail } from "@/server/domains/mails/schema";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { factsOf } from "../facts";
import { mailRequest } from "../mail-request";
import { describeDraft, isAvailable, refusalToAsk } from "../rules";
import { paymentId } from "../schema";
import { findPayment, lockPayment } from "../store";

export const sendPayment = operation({
  id: "payments.send",
  summary: "Mail a payment request",
  description:
    "Mails the pay link to the customer, or to `to`, with the account's name as the sender and its e-mail as the reply " +
    "address. The response is the mail, which a background job delivers.",
  access: rules["mails.send"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/send", extension: true },
  input: z
    .strictObject({
      payment_id: paymentId,
      to: fields.email
        .nullish()
        .meta({ description: "The customer's e-mail by default. Another one only from operators and admins." }),
      message: fields.text(limits.mail.message).nullish().meta({ description: "Plain text that the mail quotes." }),
    })
    .meta({ id: "SendPayment" }),
  output: mail,
  secret: recipientSecret,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    email_not_verified: 400,
    payment_not_found: 400,
    account_not_found: 400,
    account_closed: 400,
    payment_expired: 400,
    payment_already_paid: 400,
    payment_not_payable: 400,
    link_used_up: 400,
    payment_processing: 400,
  },
  async run({ ctx, input, fail }) {
    const seen = await findPayment(ctx.db, ctx.scope, input.payment_id);
    if (!seen) return fail("payment_not_found");
    const account = await accountFor(ctx, seen.accountId, fail);
    // Locked, so that no address is written down after it has been erased.
    const row = (await lockPayment(ctx.db, seen.id)) ?? fail("payment_not_found");
    const own = row.customer?.email ?? null;
    const to = input.to ?? own ?? fail("invalid_request", "to: is required, because the customer has no e-mail");
    if (own === null || fields.foldEmail(to) !== fields.foldEmail(own))
      checkMay("mails.send.elsewhere", ctx.actor, fail);
    const refusal = refusalToAsk(await factsOf(ctx.db, row), ctx.now);
    if (refusal !== null) return fail(refusal, describeDraft(row));
    if (!isAvailable(account)) return fail("payment_not_payable");
    const sent = await mailRequest(ctx, account, row, { kind: "payment_request", to, message: input.message ?? null });
    ctx.audit({ target: row.id, detail: { mail_id: sent.id, is_customer: to === own } });
    return presentMail(sent, ctx.actor);
  },
});
