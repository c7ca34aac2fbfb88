// POST /v1/payments/{payment_id}/apply_credit: pays a payment request out of the credit of its customer.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import { creditSources, holdCredit } from "@/server/domains/customers/credit";
import { sumOf } from "@/server/domains/customers/credit-rules";
import { lockRows } from "@/server/domains/transactions/erasure-store";
import { beginTransaction, createTransaction } from "@/server/domains/transactions/operations/create";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { announce } from "../announce";
import { amountDue } from "../derive";
import { factsOf } from "../facts";
import { lockWithHolder } from "../holder";
import { linkSecret } from "../link-secret";
import { describeUnpayable, nothingDueOfTrial, refusalToRecord } from "../rules";
import { payment, paymentId } from "../schema";
import { shownPayment } from "../shown";
import { findPayment, readPayment } from "../store";

export const applyCredit = operation({
  id: "payments.applyCredit",
  summary: "Apply credit to a payment request",
  description:
    "Pays the payment request, or a part of it, out of the credit that its customer has in its currency, the oldest " +
    "credit first. It becomes a transaction of type `payment` with `payment_method.type` `customer_credit` and no " +
    "provider. No money comes in, so it is not counted as received. Refunding it gives the credit back.",
  access: rules["transactions.create"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/payments/{payment_id}/apply_credit", extension: true },
  input: z
    .strictObject({
      payment_id: paymentId,
      amount: fields.amount
        .nullish()
        .meta({ description: "Minor units; by default as much as there is credit for, at most what is due." }),
    })
    .meta({ id: "ApplyCredit" }),
  output: payment,
  secret: linkSecret,
  errors: { ...createTransaction.errors, insufficient_credit: 400 },
  async run({ ctx, input, fail }) {
    const seen = (await findPayment(ctx.db, ctx.scope, input.payment_id)) ?? fail("payment_not_found");
    const account = await accountFor(ctx, seen.accountId, fail);
    const { locked = fail("payment_not_found"), holder } = await lockWithHolder(ctx.db, seen);
    const facts = await factsOf(ctx.db, locked);
    const refusal = refusalToRecord(facts, ctx.now);
    if (refusal !== null) return fail(refusal, describeUnpayable(locked, facts, refusal));
    const due = amountDue(locked);
    if (due === 0 && locked.isTrial) return fail("amount_too_large", nothingDueOfTrial);
    if ((input.amount ?? 0) > due) return fail("amount_too_large");
    const sources = holder === null ? [] : await creditSources(ctx.db, holder);
    // What they show as spent changes.
    await lockRows(ctx.db, sources);
    const held = await holdCredit(ctx.db, sources);
    const amount = input.amount ?? Math.min(due, sumOf(held));
    if (holder === null || amount === 0 || amount > sumOf(held)) {
      return fail("insufficient_credit", held.length < limits.creditSources ? undefined : atOnce(sumOf(held)));
    }
    const made = await beginTransaction({
      ...{ ctx, fail, credit: { customerId: holder.customerId, held } },
      input: {
        type: "payment",
        amount,
        currency: locked.currency,
        payment_id: locked.id,
        account_id: account.id,
        description: locked.description,
        customer: locked.customer,
      },
    });
    const detail = { amount, customer_id: holder.customerId };
    ctx.audit({ target: locked.id, detail });
    const row = await readPayment(ctx.db, locked.id);
    if (!row || !("answer" in made)) throw new Error(`The payment request ${locked.id} was not paid out of credit.`);
    const { transaction_id } = made.answer;
    announce(ctx, "payment.credit_applied", row, row, { transaction_id, amount_applied: amount });
    return shownPayment(ctx, row);
  },
});

/** Why credit that is there cannot be applied: it was made of too many payments. */
const atOnce = (amount: number): string =>
  `At most ${amount} can be applied at once, from ${limits.creditSources} payments. Apply the rest after that.`;
