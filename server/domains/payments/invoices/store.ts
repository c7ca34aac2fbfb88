// Keeps what each invoice says.
import { eq } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { preparedOne, slot } from "@/db/prepared";
import type { InvoiceRecord } from "@/db/schema/invoice-values";
import { invoiceSeries, invoices } from "@/db/tables";
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
    .select({ record: invoices.record, createdAt: invoices.createdAt })
    .from(invoices)
    .where(eq(invoices.paymentId, slot("id"))),
);

/** What the invoice of a payment request says, and when it got its number; undefined if it has none. */
export const invoiceOf = (q: Reader, paymentId: string) => byPayment(q, { id: paymentId });
