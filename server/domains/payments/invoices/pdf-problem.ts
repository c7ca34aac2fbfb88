// Whether an invoice can be a PDF file: its fonts lack some characters, and an empty box is no invoice.
import type { CreditNoteRecord, InvoiceRecord } from "@/db/schema/invoice-values";
import type { AccountRow } from "@/server/domains/accounts/store";
import type { WriteContext } from "@/server/kit/context";
import { missingGlyph } from "@/server/kit/glyphs";
import { type PaymentRow, updatePayment } from "../store";
import { invoiceRecord, readableCustomer } from "./record";

/** The first character of the record that the fonts of PDF files lack; null if they have all. */
export const pdfProblemIn = (record: InvoiceRecord | CreditNoteRecord): string | null =>
  missingGlyph(textsIn(record).join(""));

/** Every text within a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Notes what would be missing from the PDF of a draft's invoice, so that it is seen before it becomes final. */
export async function notePdfProblem(
  ctx: WriteContext,
  account: AccountRow,
  draft: PaymentRow,
  timezone: string,
): Promise<PaymentRow> {
  const pdfProblem = draft.type === "invoice" ? await problemOf(ctx, account, draft, timezone) : null;
  if (pdfProblem === draft.pdfProblem) return draft;
  return (await updatePayment(ctx.db, draft.id, { pdfProblem })) ?? draft;
}

async function problemOf(ctx: WriteContext, account: AccountRow, payment: PaymentRow, timezone: string) {
  const customer = await readableCustomer(ctx, payment);
  return pdfProblemIn(invoiceRecord({ account, payment, customer, number: "", issueDate: "", timezone }));
}
