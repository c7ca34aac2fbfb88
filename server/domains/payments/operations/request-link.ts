// Tells the account that a payer needs a new link, because the payment request has expired.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { mayMailFor } from "@/server/domains/transactions/receipt-mails";
import { reserve } from "@/server/fairness/throttle";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { announce } from "../announce";
import { linkRequested, newLinkOf } from "../asked";
import { factsOf } from "../facts";
import { isFormToken } from "../form-token";
import { lockByLink } from "../linked";
import { mailLinkRequest } from "../mail-request";
import { formThrottle } from "../pay-throttles";
import { recordTime } from "../refresh";
import { isAvailable } from "../rules";
import { updatePayment } from "../store";

export const requestLink = operation({
  id: "payments.requestLink",
  summary: "Ask for a new pay link",
  access: rules["pay.link"],
  effect: "write",
  idempotent: false,
  input: z.strictObject({
    token: z.string().max(limits.linkToken),
    /** The token of the page's form. */
    form_token: z.string().max(limits.linkToken),
  }),
  output: z.strictObject({ payment_id: z.string() }),
  errors: { payment_not_found: 404, form_expired: 400, payment_not_extendable: 400 },
  async run({ ctx: call, input, fail }) {
    const { ctx, payment, account } = (await lockByLink(call, input.token)) ?? fail("payment_not_found");
    const { id, organizationId } = payment;
    if (!isFormToken(ctx.runtime.keys, "ask", input.token, input.form_token, ctx.realNow)) return fail("form_expired");
    const newLink = isAvailable(account) ? newLinkOf(payment, await factsOf(ctx.db, payment), ctx.now) : null;
    if (newLink === null) return fail("payment_not_extendable");
    await reserve(ctx.db, ctx.realNow, [formThrottle(ctx, id)]);
    ctx.audit({ target: id, organizationId });
    // Once a day is enough, however often the payer asks.
    if (newLink === "requested") return { payment_id: id };
    const row = await recordTime(ctx, payment);
    const mail = (await mayMailFor(ctx, account.ownerUserId)) ? await mailLinkRequest(ctx, account, row) : null;
    await updatePayment(ctx.db, id, { linkRequestedAt: ctx.now, linkRequestMailId: mail?.id ?? null });
    announce(ctx, linkRequested, row, row);
    return { payment_id: id };
  },
});
