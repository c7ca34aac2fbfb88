// A credit note behind a pay link: as a page, and as a PDF file.
import { viewLogo } from "@/server/domains/accounts/operations/view-logo";
import { paymentCreditNote } from "@/server/domains/payments/operations/credit-note";
import type { HttpReply } from "@/server/http/exchange";
import { mailLanguages } from "@/server/kit/languages";
import { notFound } from "./answers";
import type { PageCall } from "./call";
import { creditNoteDocument } from "./invoice-document";
import { fileReply, logoOf } from "./paper-file";
import { creditNoteName, creditNotePaper } from "./papers/credit-note-paper";
import { render } from "./papers/render";
import { payPathOf } from "./path";
import { readerOf } from "./reader";
import { pageReply } from "./response";

/** Shows the page. */
export async function showCreditNote(call: PageCall, token: string, credit_note_id: string): Promise<HttpReply> {
  const note = await call.perform(paymentCreditNote, { token, credit_note_id });
  return pageReply(creditNoteDocument(note, readerOf(call, note), payPathOf(token)), 200);
}

/** Sends the file. There is none of a credit note with a character that the fonts of papers lack. */
export async function sendCreditNote(call: PageCall, token: string, credit_note_id: string): Promise<HttpReply> {
  const note = await call.perform(paymentCreditNote, { token, credit_note_id });
  const logo = await logoOf(note, (input) => call.perform(viewLogo, input));
  const drawn = await render(creditNotePaper(note, readerOf(call, note, mailLanguages), logo), call.ip);
  return "missing" in drawn ? notFound(call) : fileReply(drawn.bytes, creditNoteName(note));
}
