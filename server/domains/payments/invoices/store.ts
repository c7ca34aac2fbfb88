// Keeps what each invoice says.
import { and, eq, inArray, isNull, lte } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { preparedOne, slot } from "@/db/prepared";
import type { InvoiceRecord } from "@/db/schema/invoice-values";
import { invoiceSeries, invoices, payments } from "@/db/tables";
import { type Numbering, type Series, setLastIssueDate, takeNumber } from "./series-store";

interface NewInvoice extends Series {
  paymentId: string;
  organizationId: string;
  sequence: number;
  record: InvoiceRecord;
  createdAt: number;
}

/** Takes the next number of the account's invoices. */
export const takeInvoiceNumber = (tx: Tx, numbering: Numbering, today: string) =>
  takeNumber(tx, invoiceSeries, numbering, today);

/** Keeps what an invoice says, whose number the transaction has taken. */
export async function insertInvoice(tx: Tx, row: NewInvoice): Promise<void> {
  await tx.insert(invoices).values(row);
  await setLastIssueDate(tx, invoiceSeries, row, row.record.issue_date);
}

const byPayment = preparedOne("invoices.by_payment", (q: Reader) =>
  q
    .select({ record: invoices.record, createdAt: invoices.createdAt, erasedAt: invoices.erasedAt })
    .from(invoices)
    .where(eq(invoices.paymentId, slot("id"))),
);

/** What the invoice of a payment request says, when it got its number and was erased; undefined if it has none. */
export const invoiceOf = (q: Reader, paymentId: string) => byPayment(q, { id: paymentId });

/** What an erased paper says about its customer. */
export const nothingSaid = { buyer: null, purchase_order_reference: null, lines: [] } as const;

/** Papers whose time is over. */
export interface OldPapers {
  customerIds: readonly string[];
  /** The last year of which papers are erased. */
  lastYear: number;
  limit: number;
}

/** Erases what up to `limit` invoices to these customers say about them; the books need the rest. Resolves to their number. */
export async function eraseInvoices(tx: Tx, { customerIds, lastYear, limit }: OldPapers, now: number): Promise<number> {
  const rows = await tx
    .select({ paymentId: invoices.paymentId, record: invoices.record })
    .from(invoices)
    .innerJoin(payments, eq(payments.id, invoices.paymentId))
    .where(and(inArray(payments.customerId, [...customerIds]), isNull(invoices.erasedAt), lte(invoices.year, lastYear)))
    .limit(limit);
  for (const { paymentId, record } of rows) {
    const change = { record: { ...record, ...nothingSaid, note: null, payment_terms: null }, erasedAt: now };
    await tx.update(invoices).set(change).where(eq(invoices.paymentId, paymentId));
  }
  return rows.length;
}
