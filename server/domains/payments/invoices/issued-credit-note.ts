// A credit note on the wire, for the papers that are made of it.
import * as z from "zod";
import { creditNoteCauses } from "@/db/schema/invoice-values";
import { iso } from "@/server/process/clock";
import type { CreditNoteRow } from "./credit-note-store";
import { look, lookOf, party, type Sources, sums } from "./issued";

export const issuedCreditNote = z.strictObject({
  credit_note_id: z.string(),
  record: z.strictObject({
    number: z.string(),
    issue_date: z.string(),
    currency: z.string(),
    preceding_invoice: z.strictObject({ number: z.string(), issue_date: z.string() }),
    cause: z.enum(creditNoteCauses),
    purchase_order_reference: z.string().nullable(),
    seller: party,
    footer: z.string().nullable(),
    buyer: party.nullable(),
    ...sums,
  }),
  /** Whether the fonts of PDF files have all of its characters. */
  has_pdf: z.boolean(),
  is_void: z.boolean(),
  /** When it got its number, or became void. */
  changed_at: z.string(),
  ...look,
});

export type IssuedCreditNote = z.output<typeof issuedCreditNote>;

/** What is frozen of the credit note and whether it is void, with the look of today. */
export const presentIssuedCreditNote = (
  { id, record, pdfProblem, createdAt, voidedAt }: CreditNoteRow,
  sources: Omit<Sources, "issued">,
): IssuedCreditNote => ({
  credit_note_id: id,
  record: { ...record, lines: [...record.lines], taxes: [...record.taxes] },
  has_pdf: pdfProblem === null,
  is_void: voidedAt !== null,
  changed_at: iso(voidedAt ?? createdAt),
  ...lookOf(sources),
});
