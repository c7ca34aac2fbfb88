// POST /v1/payments/{payment_id}/extend: moves the expiry of a payment request, and reopens one that has expired.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { checkExpiry } from "../content";
import { factsOf } from "../facts";
import { linkSecret } from "../link-secret";
import { moveUses } from "../links/move-uses";
import { recordTime, refreshPayment } from "../refresh";
import { describeDraft, isAvailable, refusalToExtend } from "../rules";
import { payment, paymentId } from "../schema";
import { shownPayment } from "../shown";
import { findPayment, lockPayment } from "../store";

export const extendPayment = operation({
  id: "payments.extend",
  summary: "Extend a payment request",
  description:
    "It expires at the new time instead. If it has expired already, it can be paid again by the same link. One whose " +
    "authorization was not captured in time stays expired. With a reusable link, its unpaid uses are extended.",
  access: rules["payments.create"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/extend", extension: true },
  input: z
    .strictObject({
      payment_id: paymentId,
      expires_at: fields.instant.meta({
        description:
          `Later than the present expiry, and at most ${limits.expiryDays.longest} days from now or, if that is later, ` +
          "from the last installment.",
      }),
    })
    .meta({ id: "ExtendPayment" }),
  output: payment,
  secret: linkSecret,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    email_not_verified: 400,
    payment_not_found: 400,
    account_not_found: 400,
    account_closed: 400,
    payment_already_paid: 400,
    payment_not_extendable: 400,
    authorization_expired: 400,
  },
  async run({ ctx, input, fail }) {
    const { expires_at: expiresAt } = input;
    const seen = (await findPayment(ctx.db, ctx.scope, input.payment_id)) ?? fail("payment_not_found");
    checkExpiry(expiresAt, seen.installments, ctx.now, fail);
    const account = await accountFor(ctx, seen.accountId, fail);
    const locked = (await lockPayment(ctx.db, seen.id)) ?? fail("payment_not_found");
    const refusal = refusalToExtend(await factsOf(ctx.db, locked), ctx.now);
    if (refusal !== null) return fail(refusal, describeDraft(locked));
    if (locked.expiresAt === null) return fail("payment_not_extendable", "The payment request does not expire.");
    if (!isAvailable(account)) return fail("payment_not_extendable", "Nobody owns the account that is paid.");
    if (expiresAt <= locked.expiresAt) {
      return fail("invalid_request", `expires_at: must be later than the present expiry, ${iso(locked.expiresAt)}`);
    }
    // Announces the expiry before undoing it.
    const { status: before } = await recordTime(ctx, locked);
    const isUse = locked.parentPaymentId !== null;
    const row = await refreshPayment(ctx, locked.id, { expiresAt, ...(isUse && { expiresAlone: true }) });
    await moveUses(ctx, row);
    const [from, to] = [iso(locked.expiresAt), iso(expiresAt)];
    ctx.audit({
      target: row.id,
      detail: { previous_status: before, expires_at: to, previous_expires_at: from },
    });
    return shownPayment(ctx, row);
  },
});
