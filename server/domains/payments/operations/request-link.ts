// Tells the account that a payer needs a new link, because the payment request has expired.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { mayMailFor } from "@/server/domains/transactions/receipt-mails";
import { dayMs, limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { announce } from "../announce";
import { hasAskedSince, linkRequested } from "../asked-store";
import { derivePaymentStatus } from "../derive";
import { factsOf } from "../facts";
import { linkHashOf } from "../link";
import { isReusable } from "../links/usage";
import { mailLinkRequest } from "../mail-request";
import { recordTime } from "../refresh";
import { isAvailable } from "../rules";
import { lockByLink } from "../store";

export const requestLink = operation({
  id: "payments.requestLink",
  summary: "Ask for a new pay link",
  access: rules["pay.link"],
  effect: "write",
  idempotent: false,
  input: z.strictObject({ token: z.string().max(limits.linkToken) }),
  output: z.strictObject({ payment_id: z.string() }),
  errors: { payment_not_found: 404, payment_not_extendable: 400 },
  async run({ ctx, input, fail }) {
    const hash = linkHashOf(input.token) ?? fail("payment_not_found");
    const { payment, account } = (await lockByLink(ctx.db, hash)) ?? fail("payment_not_found");
    const { id, organizationId } = payment;
    const isExpired = derivePaymentStatus(await factsOf(ctx.db, payment), ctx.now) === "expired";
    const isOfLink = isReusable(payment) || payment.parentPaymentId !== null;
    if (!isExpired || isOfLink || !isAvailable(account)) return fail("payment_not_extendable");
    ctx.audit({ target: id, organizationId });
    // Once a day is enough, however often the payer asks.
    if (await hasAskedSince(ctx.db, id, ctx.now - dayMs)) return { payment_id: id };
    const row = await recordTime(ctx, payment);
    announce(ctx, linkRequested, row, row);
    if (await mayMailFor(ctx, account.ownerUserId)) await mailLinkRequest(ctx, account, row);
    return { payment_id: id };
  },
});
