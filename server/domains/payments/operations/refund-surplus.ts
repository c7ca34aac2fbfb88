// Refunds the surplus of a payment request and never more: the button under "Needs attention".
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { beginTransaction, createTransaction } from "@/server/domains/transactions/operations/create";
import { finishRefund, performRefund } from "@/server/domains/transactions/refund";
import { transaction } from "@/server/domains/transactions/schema";
import * as fields from "@/server/kit/fields";
import { saga } from "@/server/kit/operation";
import { paymentId } from "../schema";
import { findPayment } from "../store";
import { refundableTransactionIds } from "../transaction-ids-store";

/**
 * Refunds `amount` of the surplus from one of the payment request's payments. Unlike other refunds, it is refused
 * unless the full amount is still surplus, so that two people who see the same line do not both refund it.
 */
export const refundSurplus = saga({
  id: "payments.refundSurplus",
  summary: "Refund the surplus of a payment request",
  access: rules["transactions.create.refund"],
  time: "organization",
  input: z.strictObject({
    payment_id: paymentId,
    transaction_id: fields.id("txn", "The payment to refund."),
    amount: fields.amount.meta({ description: "Minor units." }),
  }),
  output: transaction,
  errors: { ...createTransaction.errors, payment_not_found: 400 },
  async begin({ ctx, input: { payment_id, transaction_id, amount }, fail }) {
    const request = (await findPayment(ctx.db, ctx.scope, payment_id)) ?? fail("payment_not_found");
    if (request.disputeStatus === "open") return fail("payment_disputed");
    const ids = await refundableTransactionIds(ctx.db, request.id);
    if (!ids.includes(transaction_id)) return fail("refund_exceeds_captured");
    const given = { parent_transaction_id: transaction_id, account_id: request.accountId, amount } as const;
    const refund = { type: "refund", ...given, reason: "duplicate" } as const;
    return beginTransaction({ ctx, input: refund, fail, onlySurplus: true });
  },
  perform: performRefund,
  finish: finishRefund,
});
