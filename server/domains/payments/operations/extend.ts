// POST /v1/payments/{payment_id}/extend: moves the expiry of a payment request, and reopens one that has expired.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { isoOrNull } from "@/server/process/clock";
import { checkExpiry } from "../content";
import { hasExpired } from "../derive";
import { factsOf } from "../facts";
import { linkSecret } from "../link-secret";
import { moveUses } from "../links/move-uses";
import { recordTime, refreshPayment } from "../refresh";
import { describeDraft, isAvailable, refusalToExtend } from "../rules";
import { payment, paymentId } from "../schema";
import { shownPayment } from "../shown";
import { findPayment, lockPayment, type PaymentRow } from "../store";

export const extendPayment = operation({
  id: "payments.extend",
  summary: "Extend a payment request",
  description:
    "It expires at the new time instead. If it has expired already, or its authorization was not captured in time, it " +
    "can be paid again by the same link. With a reusable link, its unpaid uses are extended.",
  access: rules["payments.create"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/extend", extension: true },
  input: z
    .strictObject({
      payment_id: paymentId,
      expires_at: fields.instant.nullable().meta({
        description:
          "Later than the present expiry, or than now if that has passed or an authorization has lapsed; not before " +
          `the due date; and at most ${limits.expiryDays.longest} days from now or, if that is later, from the last ` +
          "installment. Null reopens an invoice that does not expire and whose authorization has lapsed.",
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
  },
  async run({ ctx, input, fail }) {
    const { expires_at: expiresAt } = input;
    const seen = (await findPayment(ctx.db, ctx.scope, input.payment_id)) ?? fail("payment_not_found");
    checkExpiry(expiresAt, seen.installments, ctx.now, fail);
    const account = await accountFor(ctx, seen.accountId, fail);
    const locked = (await lockPayment(ctx.db, seen.id)) ?? fail("payment_not_found");
    const facts = await factsOf(ctx.db, locked);
    const refusal = refusalToExtend(facts);
    if (refusal !== null) return fail(refusal, describeDraft(locked));
    const isReopened = hasExpired(facts, ctx.now);
    if (locked.expiresAt === null && !isReopened) {
      return fail("payment_not_extendable", "The payment request does not expire.");
    }
    if (!isAvailable(account)) return fail("payment_not_extendable", "Nobody owns the account that is paid.");
    const problem = problemWithExtension(locked, expiresAt, isReopened);
    if (problem !== null) return fail("invalid_request", `expires_at: ${problem}`);
    // Announces the expiry before undoing it.
    const { status: before } = await recordTime(ctx, locked);
    const isUse = locked.parentPaymentId !== null;
    const row = await refreshPayment(ctx, locked.id, {
      ...{ expiresAt, extendedAt: ctx.now },
      ...(isUse && { expiresAlone: true }),
    });
    await moveUses(ctx, row);
    const [from, to] = [isoOrNull(locked.expiresAt), isoOrNull(expiresAt)];
    ctx.audit({
      target: row.id,
      detail: { previous_status: before, expires_at: to, previous_expires_at: from },
    });
    return shownPayment(ctx, row);
  },
});

/** Why the payment request cannot expire at this time instead; null if it can. `isReopened` is whether it has expired. */
function problemWithExtension(row: PaymentRow, expiresAt: number | null, isReopened: boolean): string | null {
  if (expiresAt === null) return row.expiresAt === null ? null : "must be a time, because the payment request expires";
  if (!isReopened && expiresAt <= (row.expiresAt ?? 0)) {
    return `must be later than the present expiry, ${isoOrNull(row.expiresAt)}`;
  }
  return expiresAt < (row.dueAt ?? 0) ? `must not be before the due date, ${isoOrNull(row.dueAt)}` : null;
}
