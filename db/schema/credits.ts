// Tables of customers' credit: what each credit was made of, and what was done with it.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import { inList, isAmount, isCurrency } from "./checks";
import type { customerTables } from "./customers";
import type { identityTables } from "./identity";
import type { transactionTables } from "./transactions";
import { creditUseKinds } from "./values";

export function creditTables(
  k: Columns,
  { organizations, accounts }: ReturnType<typeof identityTables>,
  { customers }: ReturnType<typeof customerTables>,
  { transactions }: ReturnType<typeof transactionTables>,
) {
  /** One row for each payment whose surplus became credit of the customer. */
  const customerCredits = k.table(
    "customer_credits",
    {
      /** The payment whose surplus it was: its source. */
      id: k
        .text("id")
        .primaryKey()
        .references(() => transactions.id),
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      accountId: k
        .text("account_id")
        .notNull()
        .references(() => accounts.id),
      /** Whose it is now: a merge moves it to the survivor. */
      customerId: k
        .text("customer_id")
        .notNull()
        .references(() => customers.id),
      currency: k.text("currency").notNull(),
      livemode: k.boolean("livemode").notNull(),
      amount: k.money("amount").notNull(),
      /** Neither spent nor taken back by a refund of its source. */
      amountLeft: k.money("amount_left").notNull(),
      /** Spent on payment requests, less what refunds of those payments gave back. */
      amountSpent: k.money("amount_spent").notNull(),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [
      k.index("customer_credits_left").on(t.customerId, t.currency, t.createdAt, t.id).where(sql`${t.amountLeft} > 0`),
      k.index("customer_credits_customer").on(t.customerId, t.createdAt, t.id),
      k.check("customer_credits_amount", isAmount(t.amount)),
      k.check("customer_credits_currency", isCurrency(t.currency)),
      k.check(
        "customer_credits_amounts",
        sql`${t.amountLeft} >= 0 and ${t.amountSpent} >= 0 and ${t.amountLeft} + ${t.amountSpent} <= ${t.amount}`,
      ),
    ],
  );

  /** What a transaction took of a credit, or gave back to it. What a refund took goes if the refund fails. */
  const customerCreditUses = k.table(
    "customer_credit_uses",
    {
      transactionId: k
        .text("transaction_id")
        .notNull()
        .references(() => transactions.id),
      creditId: k
        .text("credit_id")
        .notNull()
        .references(() => customerCredits.id),
      kind: k.oneOf("kind", [...creditUseKinds]).notNull(),
      amount: k.money("amount").notNull(),
      /** Of what was spent: what refunds of the payment gave back. */
      amountGivenBack: k.money("amount_given_back").notNull().default(0),
    },
    (t) => [
      k.primaryKey({ columns: [t.transactionId, t.creditId] }),
      k.index("customer_credit_uses_credit").on(t.creditId, t.transactionId),
      k.check("customer_credit_uses_kind", inList(t.kind, creditUseKinds)),
      k.check("customer_credit_uses_amount", isAmount(t.amount)),
      k.check("customer_credit_uses_given_back", sql`${t.amountGivenBack} between 0 and ${t.amount}`),
    ],
  );

  return { customerCredits, customerCreditUses };
}
