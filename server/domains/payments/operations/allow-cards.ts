// POST /v1/payments/{payment_id}/allow_cards: lets payers try cards again after too many attempts have failed.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { operation } from "@/server/kit/operation";
import { isCovered, isDraft } from "../derive";
import { factsOf } from "../facts";
import { linkSecret } from "../link-secret";
import { lockOfOpenAccount } from "../locked-payment";
import { recordTime, refreshPayment } from "../refresh";
import { describeKind } from "../rules";
import { payment, paymentId } from "../schema";
import { shownPayment } from "../shown";

export const allowCards = operation({
  id: "payments.allowCards",
  summary: "Let payers try cards again",
  description:
    "After too many failed payments by card, an address has to wait for an hour, and in the end the page takes no card " +
    "at all (`status` is `failed`). This opens it again at once for everybody, and counting begins anew. Other ways to " +
    "pay are never closed.",
  access: rules["payments.create"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/allow_cards", extension: true },
  input: z.strictObject({ payment_id: paymentId }).meta({ id: "AllowCards" }),
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
    payment_not_payable: 400,
  },
  async run({ ctx, input, fail }) {
    const { locked } = await lockOfOpenAccount(ctx, input.payment_id, fail);
    const facts = await factsOf(ctx.db, locked);
    if (isCovered(facts)) return fail("payment_already_paid");
    if (facts.usage || isDraft(facts)) return fail("payment_not_payable", describeKind(locked));
    if (facts.canceledAt !== null) return fail("payment_not_payable", "The payment request was canceled.");
    const { status } = await recordTime(ctx, locked);
    const row = await refreshPayment(ctx, locked.id, { cardsAllowedAt: ctx.now });
    ctx.audit({ target: row.id, detail: { previous_status: status } });
    return shownPayment(ctx, row);
  },
});
