// POST /v1/payments/{payment_id}/reopen: makes what lost disputes took due again.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import type { WriteContext } from "@/server/kit/context";
import * as fields from "@/server/kit/fields";
import { type Fail, operation } from "@/server/kit/operation";
import { isoOrNull } from "@/server/process/clock";
import { reopenedWith } from "../disputed";
import { dueInstant, timezoneOf } from "../due-date";
import { linkSecret } from "../link-secret";
import { lockOfOpenAccount } from "../locked-payment";
import { expiryOfReopened, refusalToReopen } from "../lost";
import { recordTime, refreshPayment } from "../refresh";
import { payment, paymentId } from "../schema";
import { shownPayment } from "../shown";
import type { PaymentRow } from "../store";

export const reopenPayment = operation({
  id: "payments.reopen",
  summary: "Ask again for what a lost dispute took",
  description:
    "The amount is due again, by the same link, and can be paid like any other. A payment request that expires can be " +
    "paid as long as a new one.",
  access: rules["payments.cancel"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/reopen", extension: true },
  input: z
    .strictObject({
      payment_id: paymentId,
      amount: fields.amount
        .optional()
        .meta({ description: "Minor units of `amount_lost` that are due again; all of them without it." }),
      due_at: fields.dueDate.optional().meta({
        description:
          "For invoices without installments: when it is due, instead of the present due date. A date means the end of " +
          "that day in the account's time zone.",
      }),
    })
    .meta({ id: "ReopenPayment" }),
  output: payment,
  secret: linkSecret,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    payment_not_found: 400,
    account_not_found: 400,
    account_closed: 400,
    nothing_lost: 400,
    payment_not_reopenable: 400,
    amount_too_large: 400,
  },
  async run({ ctx, input, fail }) {
    const { account, locked } = await lockOfOpenAccount(ctx, input.payment_id, fail);
    const refusal = refusalToReopen(locked, account);
    if (refusal !== null) return fail(refusal.code, refusal.text);
    const amount = input.amount ?? locked.amountLost;
    if (amount > locked.amountLost) return fail("amount_too_large", `At most ${locked.amountLost} were lost.`);
    const dueAt =
      input.due_at === undefined
        ? locked.dueAt
        : dueDateOf(ctx, locked, dueInstant(input.due_at, await timezoneOf(ctx.db, account)), fail);
    // Announces the expiry before undoing it.
    const { status: before } = await recordTime(ctx, locked);
    const expiresAt = expiryOfReopened(locked, dueAt, ctx.now);
    const isUse = locked.parentPaymentId !== null;
    const amountReopened = reopenedWith(locked, amount);
    const row = await refreshPayment(ctx, locked.id, {
      ...{ amountReopened, dueAt, expiresAt },
      ...(isUse && { expiresAlone: true }),
    });
    const dates = { due_at: isoOrNull(row.dueAt), expires_at: isoOrNull(row.expiresAt) };
    ctx.audit({ target: row.id, detail: { previous_status: before, amount, ...dates } });
    return shownPayment(ctx, row);
  },
});

function dueDateOf(ctx: WriteContext, row: PaymentRow, dueAt: number | null, fail: Fail<"invalid_request">): number {
  if (row.installments !== null) return fail("invalid_request", "due_at: follows from the installments");
  if (row.type !== "invoice") return fail("invalid_request", "due_at: is only for type invoice");
  return dueAt !== null && dueAt > ctx.now ? dueAt : fail("invalid_request", "due_at: must be in the future");
}
