// A credit note in the response about its payment request.
import * as z from "zod";
import { creditNoteCauses } from "@/db/schema/invoice-values";
import * as fields from "@/server/kit/fields";
import { iso, isoOrNull } from "@/server/process/clock";
import type { ServerKeys } from "@/server/process/server-key";
import { isErased, paymentUrl } from "../link";
import type { PaymentRow } from "../store";
import type { CreditNoteRow } from "./credit-note-store";

export const creditNoteOut = z
  .strictObject({
    credit_note_id: fields.idOut("crn", "The credit note."),
    credit_note_number: z.string().meta({
      description: "The prefix of the invoice, `CN-`, the year and a number without gaps.",
      example: "CN-2026-0001",
    }),
    cause: z.enum(creditNoteCauses).meta({ description: "What made it necessary." }),
    amount: z.int().meta({ description: "Minor units, taxes included." }),
    refund_id: z.string().nullable().meta({ description: "The transaction that refunded the amount, for that cause." }),
    pdf_url: z.string().nullable().meta({
      description: "The credit note as a PDF file, for everyone with the link; null as for invoices.",
    }),
    pdf_problem: z.string().nullable().meta({ description: "Its first character that the fonts of PDF files lack." }),
    created_at: fields.timestamp,
    voided_at: fields.timestamp.nullable().meta({
      description:
        "When it became void, because its refund failed after all or its capture became larger. It keeps its number.",
    }),
  })
  .meta({ id: "CreditNote" });

interface Links {
  keys: ServerKeys;
  env: { appUrl: string };
}

/** The address of a credit note, below its pay page. */
export const creditNotePage = (id: string): string => `credit-notes/${id}`;

/** The address of a credit note's PDF, below its pay page. */
export const creditNoteFile = (id: string): string => `${creditNotePage(id)}.pdf`;

/** The URL of a credit note's PDF; null once the customer was erased, or if its fonts lack a character of it. */
export function creditNoteUrl(
  runtime: Links,
  row: Parameters<typeof paymentUrl>[1] & Parameters<typeof isErased>[0],
  { id, pdfProblem }: { id: string; pdfProblem: string | null },
): string | null {
  const url = pdfProblem !== null || isErased(row) ? null : paymentUrl(runtime, row);
  return url && `${url}/${creditNoteFile(id)}`;
}

/** A credit note of the payment request. */
export const presentCreditNote = (
  runtime: Links,
  row: PaymentRow,
  note: CreditNoteRow,
): z.input<typeof creditNoteOut> => ({
  credit_note_id: note.id,
  credit_note_number: note.record.number,
  cause: note.cause,
  amount: note.amount,
  refund_id: note.refundId,
  pdf_url: creditNoteUrl(runtime, row, note),
  pdf_problem: note.pdfProblem,
  created_at: iso(note.createdAt),
  voided_at: isoOrNull(note.voidedAt),
});
