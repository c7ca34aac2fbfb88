// Makes the credit notes of an issued invoice, in the transaction that refunds or cancels it.
import type { InvoiceRecord } from "@/db/schema/invoice-values";
import { creditNoteMark } from "@/server/domains/accounts/rules";
import { readAccount } from "@/server/domains/accounts/store";
import type { WriteContext } from "@/server/kit/context";
import { dayOf } from "@/server/kit/day-bounds";
import { iso } from "@/server/process/clock";
import { announce } from "../announce";
import { type Attempt, amountMissing } from "../derive";
import { amountChargedBack } from "../disputed";
import { timezoneOf } from "../due-date";
import { fixedAmount } from "../fixed-amount";
import type { PaymentRow } from "../store";
import { arrivedOf } from "../totals";
import { contentsOf, excessNotes, missingNotes } from "./credit-note-rules";
import {
  type CreditNoteRow,
  creditedRefundsOf,
  creditNotesOfOne,
  insertCreditNote,
  takeCreditNoteNumber,
  voidCreditNote,
} from "./credit-note-store";
import { pdfProblemIn } from "./pdf-problem";
import { numberOf, prefixIn } from "./record";
import { invoiceOf } from "./store";

/**
 * Makes the credit notes that the payment request's refunds, its cancelation and its final partial captures call for,
 * and voids those of refunds that failed after all, and of partial captures that became larger. `after` is the row as it
 * has just been written, and locked.
 */
export async function followWithCreditNotes(
  ctx: WriteContext,
  before: PaymentRow,
  after: PaymentRow,
  attempts: readonly Attempt[],
): Promise<void> {
  if (after.invoiceNumber === null || !isCreditable(before, after)) return;
  const { db, now } = ctx;
  const refunds = await creditedRefundsOf(db, after.id);
  const notes = (await creditNotesOfOne(db, after.id)).filter(({ voidedAt }) => voidedAt === null);
  const failed = notes.filter(({ refundId }) => refundId !== null && !refunds.some(({ id }) => id === refundId));
  const claims = claimsOf(after, attempts, refunds);
  const wrong = [...failed, ...excessNotes(claims, notes)];
  for (const { id } of wrong) await voidCreditNote(db, id, now);
  const valid = notes.filter((note) => !wrong.includes(note));
  const missing = missingNotes(claims, valid);
  if (missing.length === 0) return;
  const invoice = await invoiceOf(db, after.id);
  if (!invoice) throw new Error(`The payment request ${after.id} has a number and no invoice.`);
  const account = await readAccount(db, after.organizationId, after.accountId);
  const today = dayOf(iso(now), await timezoneOf(db, account));
  for (const one of missing) {
    const note = await makeNote(ctx, { ...one, payment: after, invoice: invoice.record, today, valid });
    valid.push(note);
    const { id, record, amount } = note;
    announce(ctx, "credit_note.created", after, after, {
      ...{ credit_note_id: id, credit_note_number: record.number, credit_note_amount: amount },
    });
  }
}

/** Whether anything calls for a credit note, or did until now. */
const isCreditable = (before: PaymentRow, after: PaymentRow): boolean =>
  after.canceledAt !== null ||
  after.amountWrittenOff > 0 ||
  [before, after].some((row) => row.amountWaived > 0 || row.amountRefunded > 0);

const claimsOf = (
  row: PaymentRow,
  attempts: readonly Attempt[],
  refunds: Awaited<ReturnType<typeof creditedRefundsOf>>,
) => ({
  amount: fixedAmount(row),
  waived: row.amountWaived,
  writtenOff: row.amountWrittenOff,
  due: amountMissing(row),
  isCanceled: row.canceledAt !== null,
  payments: arrivedOf(attempts).map((one) => ({
    id: one.id,
    kept: Math.max(one.amountCaptured - amountChargedBack([one]), one.amountRefunded),
  })),
  refunds,
});

interface NewNote extends Pick<CreditNoteRow, "cause" | "refundId" | "amount"> {
  payment: PaymentRow;
  invoice: InvoiceRecord;
  /** The day in the account's time zone. */
  today: string;
  /** The credit notes of the invoice that are not void. */
  valid: readonly CreditNoteRow[];
}

async function makeNote(ctx: WriteContext, given: NewNote): Promise<CreditNoteRow> {
  const { db, now } = ctx;
  const { payment, invoice, today, valid, cause, refundId, amount } = given;
  const { accountId, organizationId, livemode, id: paymentId } = payment;
  // If the account's time zone has changed, the invoice or an earlier credit note may be dated tomorrow. Dates ascend.
  const earliest = [today, invoice.issue_date].sort().at(-1) ?? today;
  const { year, sequence, lastIssueDate } = await takeCreditNoteNumber(db, { accountId, livemode }, earliest);
  const issueDate = [earliest, lastIssueDate ?? earliest].sort().at(-1) ?? earliest;
  const { currency, purchase_order_reference, seller, footer, buyer } = invoice;
  const credited = valid.map(({ record }) => record.taxes);
  const record = {
    // The prefix of the invoice is the account's for ever; the one that it has now may be another account's.
    number: numberOf(`${prefixIn(invoice.number)}${creditNoteMark}`, year, sequence),
    issue_date: issueDate,
    preceding_invoice: { number: invoice.number, issue_date: invoice.issue_date },
    ...{ currency, cause, purchase_order_reference, seller, footer, buyer },
    ...contentsOf(invoice, credited, amount),
  };
  const row = {
    ...{
      id: ctx.id("crn"),
      paymentId,
      organizationId,
      accountId,
      livemode,
      year,
      sequence,
      cause,
      refundId,
      amount,
    },
    ...{ pdfProblem: pdfProblemIn(record), record, createdAt: now, erasedAt: null },
  };
  await insertCreditNote(db, row);
  return { ...row, voidedAt: null };
}
