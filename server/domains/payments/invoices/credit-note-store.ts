// Keeps what each credit note says, and which of them became void.
import { and, asc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { prepared, slot } from "@/db/prepared";
import {
  creditNoteSeries,
  creditNotes,
  creditNoteVoids,
  customerCreditUses,
  payments,
  transactions,
} from "@/db/tables";
import { type Numbering, setLastIssueDate, takeNumber } from "./series-store";
import { nothingSaid, type OldPapers } from "./store";

export type CreditNoteRow = typeof creditNotes.$inferSelect & { voidedAt: number | null };

/** Takes the next number of the account's credit notes. */
export const takeCreditNoteNumber = (tx: Tx, numbering: Numbering, today: string) =>
  takeNumber(tx, creditNoteSeries, numbering, today);

/** Keeps what a credit note says, whose number the transaction has taken. */
export async function insertCreditNote(tx: Tx, row: typeof creditNotes.$inferInsert): Promise<void> {
  await tx.insert(creditNotes).values(row);
  await setLastIssueDate(tx, creditNoteSeries, row, row.record.issue_date);
}

/** Makes a credit note void. Its number stays taken. */
export async function voidCreditNote(tx: Tx, creditNoteId: string, createdAt: number): Promise<void> {
  await tx.insert(creditNoteVoids).values({ creditNoteId, createdAt });
}

const columns = {
  ...{ id: creditNotes.id, paymentId: creditNotes.paymentId, organizationId: creditNotes.organizationId },
  ...{ accountId: creditNotes.accountId, livemode: creditNotes.livemode, year: creditNotes.year },
  ...{ sequence: creditNotes.sequence, cause: creditNotes.cause, refundId: creditNotes.refundId },
  ...{ amount: creditNotes.amount, pdfProblem: creditNotes.pdfProblem, record: creditNotes.record },
  ...{ createdAt: creditNotes.createdAt, erasedAt: creditNotes.erasedAt, voidedAt: creditNoteVoids.createdAt },
};

const ofOne = prepared("credit_notes.of_payment", (q: Reader) =>
  q
    .select(columns)
    .from(creditNotes)
    .leftJoin(creditNoteVoids, eq(creditNoteVoids.creditNoteId, creditNotes.id))
    .where(eq(creditNotes.paymentId, slot("paymentId")))
    .orderBy(asc(creditNotes.year), asc(creditNotes.sequence)),
);

/** The credit notes of a payment request's invoice, in the order of their numbers; void ones too. */
export const creditNotesOfOne = (q: Reader, paymentId: string): Promise<CreditNoteRow[]> => ofOne(q, { paymentId });

/** The credit notes of each payment request, in the order of their numbers. */
export async function creditNotesOf(
  q: Reader,
  paymentIds: readonly string[],
): Promise<(paymentId: string) => CreditNoteRow[]> {
  if (paymentIds.length === 0) return () => [];
  const rows = await q
    .select(columns)
    .from(creditNotes)
    .leftJoin(creditNoteVoids, eq(creditNoteVoids.creditNoteId, creditNotes.id))
    .where(inArray(creditNotes.paymentId, [...paymentIds]))
    .orderBy(asc(creditNotes.year), asc(creditNotes.sequence));
  return (paymentId) => rows.filter((row) => row.paymentId === paymentId);
}

const succeeded = prepared("credit_notes.refunds", (q: Reader) =>
  q
    .select({
      id: transactions.id,
      parentId: transactions.parentTransactionId,
      amount: transactions.amount,
      uncredited: sql`${transactions.amountSurplus} + coalesce((
        select sum(${customerCreditUses.amount}) from ${customerCreditUses}
        where ${customerCreditUses.transactionId} = ${transactions.id} and ${customerCreditUses.kind} = 'taken_back'
      ), 0)`.mapWith(Number),
    })
    .from(transactions)
    .where(
      and(
        eq(transactions.paymentId, slot("id")),
        eq(transactions.type, "refund"),
        eq(transactions.status, "succeeded"),
      ),
    )
    // The order of the index by payment request; the organization is the same for all rows.
    .orderBy(asc(transactions.organizationId), asc(transactions.createdAt), asc(transactions.id)),
);

/** The refunds that have succeeded, oldest first, and what they gave back of surplus or took back of credit. */
export const creditedRefundsOf = (q: Reader, paymentId: string) => succeeded(q, { id: paymentId });

/** Erases what up to `limit` credit notes to these customers say about them, as of invoices. */
export async function eraseCreditNotes(
  tx: Tx,
  { customerIds, lastYear, limit }: OldPapers,
  now: number,
): Promise<number> {
  const rows = await tx
    .select({ id: creditNotes.id, record: creditNotes.record })
    .from(creditNotes)
    .innerJoin(payments, eq(payments.id, creditNotes.paymentId))
    .where(
      and(
        inArray(payments.customerId, [...customerIds]),
        isNull(creditNotes.erasedAt),
        lte(creditNotes.year, lastYear),
      ),
    )
    .limit(limit);
  for (const { id, record } of rows) {
    const change = { record: { ...record, ...nothingSaid }, erasedAt: now };
    await tx.update(creditNotes).set(change).where(eq(creditNotes.id, id));
  }
  return rows.length;
}
