// POST /v1/payments/{payment_id}/remind: mails the customer a reminder of a payment request.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { recipientSecret } from "@/server/domains/mails/answer-secret";
import { mail, presentMail } from "@/server/domains/mails/schema";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { factsOf } from "../facts";
import { lockOfOpenAccount } from "../locked-payment";
import { announceReminder, mailRequest } from "../mail-request";
import { describeUnpayable, isAvailable, refusalToRemind } from "../rules";
import { paymentId } from "../schema";

export const remindPayment = operation({
  id: "payments.remind",
  summary: "Remind of a payment request",
  description:
    "Mails the customer a reminder with the pay link and the amount that is still due. The response is the mail, which " +
    "a background job delivers. Planned reminders are not affected.",
  access: rules["mails.send"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/remind", extension: true },
  input: z
    .strictObject({
      payment_id: paymentId,
      message: fields.text(limits.mail.message).nullish().meta({ description: "Plain text that the mail quotes." }),
    })
    .meta({ id: "RemindPayment" }),
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
    payment_processing: 400,
  },
  async run({ ctx, input, fail }) {
    // Locked, so that no address is written down after it has been erased.
    const { account, locked: row } = await lockOfOpenAccount(ctx, input.payment_id, fail);
    const to = row.customer?.email ?? fail("invalid_request", "payment_id: its customer has no e-mail");
    const facts = await factsOf(ctx.db, row);
    const refusal = refusalToRemind(facts, ctx.now);
    if (refusal !== null) return fail(refusal, describeUnpayable(row, facts, refusal));
    if (!isAvailable(account)) return fail("payment_not_payable");
    const letter = { kind: "payment_reminder", to, message: input.message ?? null } as const;
    const sent = await mailRequest(ctx, account, row, letter);
    ctx.audit({ target: row.id, detail: { mail_id: sent.id } });
    announceReminder(ctx, row, { mailId: sent.id, offsetDays: null });
    return presentMail(sent, ctx.actor);
  },
});
