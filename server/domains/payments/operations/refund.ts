// POST /v1/payments/{payment_id}/refund: refunds a payment request by creating a transaction of type refund.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { beginTransaction, createTransaction } from "@/server/domains/transactions/operations/create";
import { finishRefund, performRefund } from "@/server/domains/transactions/refund";
import { refundReasons, transaction } from "@/server/domains/transactions/schema";
import * as fields from "@/server/kit/fields";
import { saga } from "@/server/kit/operation";
import { paymentId } from "../schema";
import { findPayment } from "../store";
import { refundableTransactionIds } from "../transaction-ids-store";

export const refundPayment = saga({
  id: "payments.refund",
  summary: "Refund a payment request",
  description:
    "Creates a transaction of type `refund` and returns it, as POST /v1/transactions does. If several payments count " +
    "towards the payment request, `transaction_id` names the one to refund.",
  access: rules["transactions.create.refund"],
  time: "organization",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/refund", extension: true },
  input: z
    .strictObject({
      payment_id: paymentId,
      amount: fields.amount.nullish().meta({ description: "Minor units; the whole remainder by default." }),
      reason: z.enum(refundReasons).nullish(),
      transaction_id: fields.id("txn", "The payment to refund; required if there are several.").nullish(),
      metadata: fields.metadata.nullish(),
    })
    .meta({ id: "RefundPayment" }),
  output: transaction,
  errors: { ...createTransaction.errors, payment_not_found: 400 },
  async begin({ ctx, input, fail }) {
    const { payment_id, transaction_id, ...given } = input;
    const seen = await findPayment(ctx.db, ctx.scope, payment_id);
    if (!seen) return fail("payment_not_found");
    const ids = await refundableTransactionIds(ctx.db, seen.id);
    if (transaction_id != null && !ids.includes(transaction_id)) return fail("transaction_not_found");
    const [only, another] = transaction_id == null ? ids : [transaction_id];
    if (only === undefined) return fail("refund_exceeds_captured");
    if (another !== undefined) {
      return fail(
        "invalid_request",
        "transaction_id: is required if several payments count towards the payment request",
      );
    }
    const refund = { type: "refund", parent_transaction_id: only, account_id: seen.accountId, ...given } as const;
    return beginTransaction({ ctx, input: refund, fail });
  },
  perform: performRefund,
  finish: finishRefund,
});
