// POST /v1/payments/{payment_id}/write_off: gives up what lost disputes took.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { linkSecret } from "../link-secret";
import { lockOfAnyAccount } from "../locked-payment";
import { refreshPayment } from "../refresh";
import { payment, paymentId } from "../schema";
import { shownPayment } from "../shown";

export const writeOffPayment = operation({
  id: "payments.writeOff",
  summary: "Write off what a lost dispute took",
  description:
    "`amount_lost` is never due again. On an invoice, a credit note of cause `dispute` says so. What was due before stays " +
    "due. Allowed on closed accounts, too.",
  access: rules["payments.cancel"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/write_off", extension: true },
  input: z
    .strictObject({
      payment_id: paymentId,
      reason: fields
        .text(limits.reason)
        .nullish()
        .meta({ description: "Why it is written off, for its page. Payers never see it." }),
    })
    .meta({ id: "WriteOffPayment" }),
  output: payment,
  secret: linkSecret,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    payment_not_found: 400,
    account_not_found: 400,
    nothing_lost: 400,
  },
  async run({ ctx, input, fail }) {
    const { locked } = await lockOfAnyAccount(ctx, input.payment_id, fail);
    const { amountLost: amount } = locked;
    if (amount === 0) return fail("nothing_lost");
    const row = await refreshPayment(ctx, locked.id, {
      amountWrittenOff: locked.amountWrittenOff + amount,
      writeOffReason: input.reason ?? null,
    });
    // Not the reason, which may name a person: audit entries cannot be erased.
    ctx.audit({ target: row.id, detail: { previous_status: locked.status, amount } });
    return shownPayment(ctx, row);
  },
});
