// Gives numbers to invoices, and keeps what each invoice says.
import { and, eq, max, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { preparedOne, slot } from "@/db/prepared";
import type { InvoiceRecord } from "@/db/schema/invoice-values";
import { invoiceSeries, invoices } from "@/db/tables";

/** Invoices that are numbered together, year by year. */
interface Numbering {
  accountId: string;
  livemode: boolean;
}

interface Series extends Numbering {
  year: number;
}

/** The year of the next number: that of today, but never an earlier one than before, wherever the account moves. */
async function yearOf(tx: Tx, { accountId, livemode }: Numbering, today: string): Promise<number> {
  const [last] = await tx
    .select({ year: max(invoiceSeries.year) })
    .from(invoiceSeries)
    .where(and(eq(invoiceSeries.accountId, accountId), eq(invoiceSeries.livemode, livemode)));
  return Math.max(Number(today.slice(0, 4)), last?.year ?? 0);
}

/**
 * Takes the next number of the year, from 1, and locks the series until the transaction ends. A transaction that is
 * rolled back gives the number back, so there are no gaps. Resolves also to the latest issue date before, of any year.
 */
export async function takeNumber(tx: Tx, numbering: Numbering, today: string) {
  const series = { ...numbering, year: await yearOf(tx, numbering, today) };
  const [taken] = await tx
    .insert(invoiceSeries)
    .values({ ...series, lastNumber: 1, lastIssueDate: today })
    .onConflictDoUpdate({
      target: [invoiceSeries.accountId, invoiceSeries.livemode, invoiceSeries.year],
      set: { lastNumber: sql`${invoiceSeries.lastNumber} + 1` },
    })
    .returning({ sequence: invoiceSeries.lastNumber });
  if (!taken) throw new Error(`No number was taken for ${series.accountId}.`);
  const { accountId, livemode, year } = series;
  const isOld = taken.sequence > 1 ? sql`true` : sql`${invoiceSeries.year} <> ${year}`;
  const [last] = await tx
    .select({ date: max(invoiceSeries.lastIssueDate) })
    .from(invoiceSeries)
    .where(and(eq(invoiceSeries.accountId, accountId), eq(invoiceSeries.livemode, livemode), isOld));
  return { year, sequence: taken.sequence, lastIssueDate: last?.date ?? null };
}

interface NewInvoice extends Series {
  paymentId: string;
  organizationId: string;
  sequence: number;
  record: InvoiceRecord;
  createdAt: number;
}

/** Keeps what an invoice says, whose number the transaction has taken. */
export async function insertInvoice(tx: Tx, row: NewInvoice): Promise<void> {
  await tx.insert(invoices).values(row);
  await tx
    .update(invoiceSeries)
    .set({ lastIssueDate: row.record.issue_date })
    .where(
      and(
        eq(invoiceSeries.accountId, row.accountId),
        eq(invoiceSeries.livemode, row.livemode),
        eq(invoiceSeries.year, row.year),
      ),
    );
}

const byPayment = preparedOne("invoices.by_payment", (q: Reader) =>
  q
    .select({ record: invoices.record, createdAt: invoices.createdAt })
    .from(invoices)
    .where(eq(invoices.paymentId, slot("id"))),
);

/** What the invoice of a payment request says, and when it got its number; undefined if it has none. */
export const invoiceOf = (q: Reader, paymentId: string) => byPayment(q, { id: paymentId });
