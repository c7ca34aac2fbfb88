// Keeps the pay link out of answers that are stored for an Idempotency-Key, and derives it again when one is repeated.
import type * as z from "zod";
import type { AnswerSecret } from "@/server/kit/operation";
import { creditNoteUrl } from "./invoices/credit-note-out";
import { invoiceUrl, paymentUrl, receiptUrl } from "./link";
import { isReusable } from "./links/usage";
import type { payment } from "./schema";
import { lockPayment } from "./store";

/** For the operations that answer with a payment request. */
export const linkSecret: AnswerSecret<z.output<typeof payment>> = {
  without: (answer) => ({
    ...{ ...answer, payment_url: null, receipt_url: null, pdf_url: null },
    credit_notes: answer.credit_notes.map((note) => ({ ...note, pdf_url: null })),
  }),
  async restored(stored, tx, runtime) {
    const row = await lockPayment(tx, stored.payment_id);
    // A draft had no link, even if the payment request has one by now.
    if (!row || stored.status === "draft") return stored;
    const receipt_url = isReusable(row) ? null : receiptUrl(runtime, row, stored.amount_paid);
    const { invoice_number: invoiceNumber, pdf_problem: pdfProblem } = stored;
    const pdf_url = invoiceUrl(runtime, { ...row, invoiceNumber, pdfProblem });
    const credit_notes = stored.credit_notes.map((note) => ({
      ...note,
      pdf_url: creditNoteUrl(runtime, row, { id: note.credit_note_id, pdfProblem: note.pdf_problem }),
    }));
    return { ...stored, payment_url: paymentUrl(runtime, row), receipt_url, pdf_url, credit_notes };
  },
};
