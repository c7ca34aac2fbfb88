// Tables of invoices and their credit notes: the numbers that were given, and what each paper says.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import type { identityTables } from "./identity";
import { type CreditNoteRecord, creditNoteCauses, type InvoiceRecord } from "./invoice-values";
import type { paymentTables } from "./payments";
import type { transactionTables } from "./transactions";

export function invoiceTables(
  k: Columns,
  { organizations, accounts }: ReturnType<typeof identityTables>,
  { payments }: ReturnType<typeof paymentTables>,
  { transactions }: ReturnType<typeof transactionTables>,
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
      /** When the years were over for which it is kept after the erasure of its customer. */
      erasedAt: k.instant("erased_at"),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [
      k.uniqueIndex("invoices_sequence").on(t.accountId, t.livemode, t.year, t.sequence),
      k.check("invoices_sequence_positive", sql`${t.sequence} > 0`),
    ],
  );

  /** The last number of the credit notes of an account in a mode and a year, as of invoices. */
  const creditNoteSeries = k.table(
    "credit_note_series",
    {
      accountId: k
        .text("account_id")
        .notNull()
        .references(() => accounts.id),
      livemode: k.boolean("livemode").notNull(),
      /** The year in the account's time zone. */
      year: k.integer("year").notNull(),
      lastNumber: k.integer("last_number").notNull(),
      /** The issue date of the credit note with that number. */
      lastIssueDate: k.text("last_issue_date").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.accountId, t.livemode, t.year] }),
      k.check("credit_note_series_number", sql`${t.lastNumber} > 0`),
    ],
  );

  /** What a credit note says, frozen when it was made. */
  const creditNotes = k.table(
    "credit_notes",
    {
      id: k.text("id").primaryKey(),
      /** The payment request whose invoice it credits. */
      paymentId: k
        .text("payment_id")
        .notNull()
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
      cause: k.oneOf("cause", [...creditNoteCauses]).notNull(),
      /** The refund that caused it; null of another cause. */
      refundId: k.text("refund_id").references(() => transactions.id),
      amount: k.money("amount").notNull(),
      /** The first character of it that no font of its PDF has. */
      pdfProblem: k.text("pdf_problem"),
      record: k.json<CreditNoteRecord>()("record").notNull(),
      /** As of invoices. */
      erasedAt: k.instant("erased_at"),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [
      k.uniqueIndex("credit_notes_sequence").on(t.accountId, t.livemode, t.year, t.sequence),
      k.index("credit_notes_payment").on(t.paymentId),
      k.check("credit_notes_sequence_positive", sql`${t.sequence} > 0`),
      k.check("credit_notes_amount", sql`${t.amount} > 0`),
      k.check("credit_notes_refund", sql`(${t.cause} = 'refund') = (${t.refundId} is not null)`),
    ],
  );

  /** Credit notes that became void, because their refund failed after all or their capture became larger. */
  const creditNoteVoids = k.table("credit_note_voids", {
    creditNoteId: k
      .text("credit_note_id")
      .primaryKey()
      .references(() => creditNotes.id),
    createdAt: k.instant("created_at").notNull(),
  });

  return { invoiceSeries, invoices, creditNoteSeries, creditNotes, creditNoteVoids };
}
