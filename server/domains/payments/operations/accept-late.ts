// POST /v1/payments/{payment_id}/accept_late: keeps money that arrived after the end of a payment request.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { setLate } from "@/server/domains/transactions/record-store";
import { operation } from "@/server/kit/operation";
import { isoOrNull } from "@/server/process/clock";
import { announce } from "../announce";
import { linkSecret } from "../link-secret";
import { lockOfAnyAccount } from "../locked-payment";
import { refreshPayment } from "../refresh";
import { payment, paymentId } from "../schema";
import { shownPayment } from "../shown";
import { attemptsOf } from "../store";

export const acceptLate = operation({
  id: "payments.acceptLate",
  summary: "Keep money that arrived late",
  description:
    "Money that a provider took after the payment request had ended is flagged by `paid_late_at` until it is refunded or " +
    "accepted. Allowed on closed accounts, too.",
  access: rules["payments.cancel"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/accept_late", extension: true },
  input: z.strictObject({ payment_id: paymentId }),
  output: payment,
  secret: linkSecret,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    payment_not_found: 400,
    account_not_found: 400,
    nothing_late: 400,
  },
  async run({ ctx, input, fail }) {
    const { locked } = await lockOfAnyAccount(ctx, input.payment_id, fail);
    if (locked.paidLateAt === null) return fail("nothing_late");
    const late = (await attemptsOf(ctx.db, locked)).filter(({ lateAt }) => lateAt !== null);
    await setLate(
      ctx.db,
      late.map(({ id }) => id),
      null,
    );
    const row = await refreshPayment(ctx, locked.id);
    announce(ctx, "payment.updated", locked, row);
    ctx.audit({ target: row.id, detail: { paid_late_at: isoOrNull(locked.paidLateAt) } });
    return shownPayment(ctx, row);
  },
});
