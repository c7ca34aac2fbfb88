// GET /v1/payments/{payment_id}: one payment request in full.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { operation } from "@/server/kit/operation";
import { payment, paymentId } from "../schema";
import { shownPayment } from "../shown";
import { findPayment } from "../store";
import { paymentTag } from "../tag";

export const getPayment = operation({
  id: "payments.get",
  summary: "Retrieve a payment request",
  description: "All fields; `status` shows its state at the time of the call.",
  access: rules["payments.read"],
  time: "organization",
  effect: "read",
  rest: { method: "GET", path: "/v1/payments/{payment_id}", extension: true, etag: paymentTag },
  input: z.strictObject({ payment_id: paymentId }),
  output: payment,
  errors: { payment_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const row = await findPayment(ctx.db, ctx.scope, input.payment_id);
    if (!row) return fail("payment_not_found");
    return shownPayment(ctx, row);
  },
});
