// What one customer was asked for and has paid, for the customer's page in the dashboard.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { survivorOf } from "@/server/domains/customers/make";
import { customerId } from "@/server/domains/customers/schema";
import { findCustomer } from "@/server/domains/customers/store";
import { mail, presentMail } from "@/server/domains/mails/schema";
import { transaction } from "@/server/domains/transactions/schema";
import { shownTransactions } from "@/server/domains/transactions/shown";
import { inTurn } from "@/server/fairness/turns";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import {
  creditAndDisputesByCurrency,
  creditsLeft,
  newestMails,
  newestTransactions,
  paidDirectly,
  sumsByCurrency,
} from "../customer-store";

const { requests: most, shown: limit } = limits.customerActivity;

export const customerActivity = operation({
  id: "customers.activity",
  summary: "Show what a customer was asked for and has paid",
  description:
    "Of the customer's newest payment requests, and newest transactions without one; `is_complete` says whether these " +
    "are all. What was paid out of credit is not among the sums. `charged_back` is what the customer's bank returned by disputes that were lost.",
  access: rules["customers.read"],
  time: "organization",
  effect: "read",
  input: z.strictObject({ customer_id: customerId }),
  output: z.strictObject({
    sums: z.array(
      z.strictObject({
        currency: fields.currencyCode,
        count: z.int(),
        ...{ requested: fields.total, paid: fields.total, refunded: fields.total, charged_back: fields.total },
      }),
    ),
    /** Credits of which something is left, and the payments whose surplus they were; the newest first. */
    credits: z.array(
      z.strictObject({
        transaction_id: z.string(),
        payment_id: z.string().nullable(),
        currency: fields.currencyCode,
        ...{ amount: fields.total, amount_left: fields.total },
        created_at: fields.timestamp,
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
    const direct = await inTurn(ctx.request, () => paidDirectly(ctx.db, id, most));
    const newest = await inTurn(ctx.request, () => newestTransactions(ctx.db, id, { most, limit }));
    const sent = await inTurn(ctx.request, () => newestMails(ctx.db, id, { most, limit }));
    const moved = await inTurn(ctx.request, () => creditAndDisputesByCurrency(ctx.db, id, most));
    const credits = await creditsLeft(ctx.db, id, limit);
    return {
      sums: withDirect(
        sums.filter(({ count }) => count > 0).map(({ read: _, ...one }) => withMoved(one, moved)),
        direct.filter(({ paid }) => paid > 0),
      ),
      credits: credits.map((one) => ({
        ...{ transaction_id: one.id, payment_id: one.paymentId, currency: one.currency },
        ...{ amount: one.amount, amount_left: one.amountLeft, created_at: iso(one.createdAt) },
      })),
      is_complete: [sums, direct].every((rows) => rows.reduce((all, { read }) => all + read, 0) < most),
      transactions: await shownTransactions(ctx, newest),
      mails: sent.map((each) => presentMail(each, ctx.actor)),
    };
  },
});

type Sum = { currency: string; paid: number; refunded: number };

/**
 * The sum without what was paid of credit or refunded into it, because that money was received, and counted, before; and
 * with what disputes returned.
 */
function withMoved<Row extends Sum>(sum: Row, moved: readonly (Sum & { chargedBack: number })[]) {
  const { paid, refunded, chargedBack } = moved.find(({ currency }) => currency === sum.currency) ?? nothing;
  return { ...sum, paid: sum.paid - paid, refunded: sum.refunded - refunded, charged_back: chargedBack };
}

/** The sums of payment requests, with what was paid without one. */
function withDirect<Row extends ReturnType<typeof unasked>>(sums: readonly Row[], direct: readonly Sum[]) {
  const currencies = [...new Set([...sums, ...direct].map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const isSame = (one: Sum) => one.currency === currency;
    const [asked, more] = [sums.find(isSame) ?? unasked(currency), direct.find(isSame) ?? nothing];
    return { ...asked, paid: asked.paid + more.paid, refunded: asked.refunded + more.refunded };
  });
}

/** The sums of a currency in which the customer was asked for nothing. */
const unasked = (currency: string) => ({
  ...{ currency, count: 0, requested: 0, paid: 0, refunded: 0, charged_back: 0 },
});

const nothing = { paid: 0, refunded: 0, chargedBack: 0 };
