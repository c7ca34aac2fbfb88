// What one customer was asked for and has paid, for the customer's page in the dashboard.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { survivorOf } from "@/server/domains/customers/make";
import { customerId } from "@/server/domains/customers/schema";
import { findCustomer } from "@/server/domains/customers/store";
import { mail, presentMail } from "@/server/domains/mails/schema";
import { fromAnywhere, present } from "@/server/domains/transactions/present";
import { transaction } from "@/server/domains/transactions/schema";
import { inTurn } from "@/server/fairness/turns";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { newestMails, newestTransactions, sumsByCurrency } from "../customer-store";

const { requests: most, shown: limit } = limits.customerActivity;

export const customerActivity = operation({
  id: "customers.activity",
  summary: "Show what a customer was asked for and has paid",
  description: "Of the customer's newest payment requests; `is_complete` says whether these are all.",
  access: rules["customers.read"],
  effect: "read",
  input: z.strictObject({ customer_id: customerId }),
  output: z.strictObject({
    sums: z.array(
      z.strictObject({
        currency: fields.currencyCode,
        count: z.int(),
        ...{ requested: fields.total, paid: fields.total, refunded: fields.total },
      }),
    ),
    is_complete: z.boolean(),
    transactions: z.array(transaction),
    mails: z.array(mail),
  }),
  errors: { customer_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const row = (await findCustomer(ctx.db, ctx.scope, input.customer_id)) ?? fail("customer_not_found");
    const id = survivorOf(row);
    const sums = await inTurn(ctx.request, () => sumsByCurrency(ctx.db, id, most));
    const moved = await inTurn(ctx.request, () => newestTransactions(ctx.db, id, { most, limit }));
    const sent = await inTurn(ctx.request, () => newestMails(ctx.db, id, { most, limit }));
    return {
      sums: sums.filter(({ count }) => count > 0).map(({ read: _, ...each }) => each),
      is_complete: sums.reduce((all, { read }) => all + read, 0) < most,
      transactions: moved.map((each) => present(each, fromAnywhere, ctx.now)),
      mails: sent.map((each) => presentMail(each, ctx.actor)),
    };
  },
});
