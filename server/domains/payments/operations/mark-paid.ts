// POST /v1/payments/{payment_id}/mark_paid: records money that was received outside the pay page for a payment request.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import { beginTransaction, createTransaction } from "@/server/domains/transactions/operations/create";
import { receivedOffline } from "@/server/domains/transactions/schema";
import { refusalOfDate } from "@/server/domains/transactions/value-date";
import * as fields from "@/server/kit/fields";
import { operation } from "@/server/kit/operation";
import { isoOrNull } from "@/server/process/clock";
import { amountDue } from "../derive";
import { startInstant, timezoneOf } from "../due-date";
import { factsOf } from "../facts";
import { lockWithHolder } from "../holder";
import { linkSecret } from "../link-secret";
import { describeUnpayable, nothingDueOfTrial, refusalToRecord } from "../rules";
import { payment, paymentId } from "../schema";
import { shownPayment } from "../shown";
import { findPayment, readPayment } from "../store";

export const markPaid = operation({
  id: "payments.markPaid",
  summary: "Mark a payment request as paid",
  description:
    "Records money that the customer paid in cash, by bank transfer or otherwise, as a transaction of type `payment` " +
    "that counts towards the payment request. With less than what is due, the rest stays due. With more, " +
    "`overpayment` says what becomes of the surplus; without it, a larger amount is refused.",
  access: rules["transactions.create"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/mark_paid", extension: true },
  input: z
    .strictObject({
      payment_id: paymentId,
      ...receivedOffline,
      amount: fields.amount.nullish().meta({ description: "Minor units; what is due by default." }),
      received_at: fields.momentOrDay.nullish().meta({
        description:
          "When the money arrived; now by default. A date means the begin of that day in the account's time zone.",
      }),
      reference: fields.reference
        .nullish()
        .meta({ description: "The transaction's reference, such as the bank's. Unique within the account." }),
      overpayment: z.enum(["credit"]).nullish().meta({
        description: "`credit`: what is paid above the amount due becomes credit of the payment request's customer.",
      }),
    })
    .meta({ id: "MarkPaid" }),
  output: payment,
  secret: linkSecret,
  errors: createTransaction.errors,
  async run({ ctx, input, fail }) {
    const { method = null, reason, reference } = input;
    const seen = (await findPayment(ctx.db, ctx.scope, input.payment_id)) ?? fail("payment_not_found");
    const account = await accountFor(ctx, seen.accountId, fail);
    const receivedAt = startInstant(input.received_at ?? null, await timezoneOf(ctx.db, account));
    const refusalOfInstant = receivedAt === null ? null : refusalOfDate("received_at", receivedAt, ctx.now);
    if (refusalOfInstant !== null) return fail("invalid_request", refusalOfInstant);
    const { locked = fail("payment_not_found"), holder } = await lockWithHolder(ctx.db, seen);
    const facts = await factsOf(ctx.db, locked);
    const refusal = refusalToRecord(facts, ctx.now);
    if (refusal !== null) return fail(refusal, describeUnpayable(locked, facts, refusal));
    const due = amountDue(locked);
    if (due === 0) return fail("amount_too_large", locked.isTrial ? nothingDueOfTrial : "Nothing is due of it.");
    const amount = input.amount ?? due;
    const above = input.overpayment === "credit" ? Math.max(0, amount - due) : 0;
    if (above > 0 && locked.parentPaymentId !== null) {
      return fail(
        "amount_too_large",
        "The payer of a reusable link may be anybody, so what is above cannot be credited.",
      );
    }
    if (above > 0 && holder === null) return fail("customer_required");
    const surplus = above > 0 && holder ? { customerId: holder.customerId, amount: above } : null;
    await beginTransaction({
      ...{ ctx, fail, surplus },
      input: {
        type: "payment",
        ...{ method, reason, amount },
        currency: locked.currency,
        payment_id: locked.id,
        account_id: account.id,
        reference,
        description: locked.description,
        customer: locked.customer,
        effective_at: receivedAt,
      },
    });
    // Not the reason, which may name a person: audit entries cannot be erased.
    const credited = surplus && { amount_credited: surplus.amount, customer_id: surplus.customerId };
    ctx.audit({ target: locked.id, detail: { method, received_at: isoOrNull(receivedAt), ...credited } });
    const row = await readPayment(ctx.db, locked.id);
    if (!row) throw new Error(`The payment request ${locked.id} no longer exists although it was locked.`);
    return shownPayment(ctx, row);
  },
});
