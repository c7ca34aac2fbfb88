// Gives back what a payment request was overpaid by, and never more: the one click under "Needs attention".
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { beginTransaction, createTransaction } from "@/server/domains/transactions/operations/create";
import { finishRefund, performRefund } from "@/server/domains/transactions/refund";
import { transaction } from "@/server/domains/transactions/schema";
import * as fields from "@/server/kit/fields";
import { saga } from "@/server/kit/operation";
import { paymentId } from "../schema";
import { findPayment, refundableTransactionIds } from "../store";

/**
 * Refunds `amount` of the surplus from one of the request's payments. Unlike any other refund it is refused where that
 * is no surplus any more, so that two people who see the same line do not both give the money back.
 */
export const refundSurplus = saga({
  id: "payments.refundSurplus",
  summary: "Refund what a payment request was overpaid by",
  access: rules["transactions.create.refund"],
  input: z.strictObject({
    payment_id: paymentId,
    transaction_id: fields.id("txn", "The payment to give it back from."),
    amount: fields.amount.meta({ description: "Minor units." }),
  }),
  output: transaction,
  errors: { ...createTransaction.errors, payment_not_found: 400 },
  async begin({ ctx, input: { payment_id, transaction_id, amount }, fail }) {
    const request = (await findPayment(ctx.db, ctx.scope, payment_id)) ?? fail("payment_not_found");
    const ids = await refundableTransactionIds(ctx.db, request.id);
    if (!ids.includes(transaction_id)) return fail("refund_exceeds_captured");
    const given = { parent_transaction_id: transaction_id, account_id: request.accountId, amount } as const;
    const refund = { type: "refund", ...given, reason: "duplicate" } as const;
    return beginTransaction({ ctx, input: refund, fail, onlySurplus: true });
  },
  perform: performRefund,
  finish: finishRefund,
});
