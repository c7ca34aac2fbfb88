// Tables of invoices: the numbers that were given, and what each invoice says.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import type { identityTables } from "./identity";
import type { InvoiceRecord } from "./invoice-values";
import type { paymentTables } from "./payments";

export function invoiceTables(
  k: Columns,
  { organizations, accounts }: ReturnType<typeof identityTables>,
  { payments }: ReturnType<typeof paymentTables>,
) {
  /** The last number of an account in a mode and a year. Giving a number locks the row until the transaction ends. */
  const invoiceSeries = k.table(
    "invoice_series",
    {
      accountId: k
        .text("account_id")
        .notNull()
        .references(() => accounts.id),
      livemode: k.boolean("livemode").notNull(),
      /** The year of finalization in the account's time zone. */
      year: k.integer("year").notNull(),
      lastNumber: k.integer("last_number").notNull(),
      /** The issue date of the invoice with that number. */
      lastIssueDate: k.text("last_issue_date").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.accountId, t.livemode, t.year] }),
      k.check("invoice_series_number", sql`${t.lastNumber} > 0`),
    ],
  );

  /** What the invoice of a payment request says, frozen when it became final. */
  const invoices = k.table(
    "invoices",
    {
      paymentId: k
        .text("payment_id")
        .primaryKey()
        .references(() => payments.id),
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      accountId: k
        .text("account_id")
        .notNull()
        .references(() => accounts.id),
      livemode: k.boolean("livemode").notNull(),
      year: k.integer("year").notNull(),
      /** Its number within the account, mode and year, without prefix. */
      sequence: k.integer("sequence").notNull(),
      record: k.json<InvoiceRecord>()("record").notNull(),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [
      k.uniqueIndex("invoices_sequence").on(t.accountId, t.livemode, t.year, t.sequence),
      k.check("invoices_sequence_positive", sql`${t.sequence} > 0`),
    ],
  );

  return { invoiceSeries, invoices };
}
