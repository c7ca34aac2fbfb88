// The invoice behind a pay link: as a page, and as a PDF file.
import { viewLogo } from "@/server/domains/accounts/operations/view-logo";
import { paymentInvoice } from "@/server/domains/payments/operations/invoice";
import type { HttpReply } from "@/server/http/exchange";
import { mailLanguages } from "@/server/kit/languages";
import { notFound } from "./answers";
import type { PageCall } from "./call";
import { invoiceDocument } from "./invoice-document";
import { fileReply, logoOf } from "./paper-file";
import { invoiceName, invoicePaper } from "./papers/invoice-paper";
import { render } from "./papers/render";
import { payPathOf } from "./path";
import { readerOf } from "./reader";
import { pageReply } from "./response";

/** Shows the page. */
export async function showInvoice(call: PageCall, token: string): Promise<HttpReply> {
  const invoice = await call.perform(paymentInvoice, { token });
  return pageReply(invoiceDocument(invoice, readerOf(call, invoice), payPathOf(token)), 200);
}

/** Sends the file. There is none of an invoice with a character that the fonts of papers lack. */
export async function sendInvoice(call: PageCall, token: string): Promise<HttpReply> {
  const invoice = await call.perform(paymentInvoice, { token });
  const reader = readerOf(call, invoice, mailLanguages);
  const drawn = await render(
    invoicePaper(invoice, reader, await logoOf(invoice, (input) => call.perform(viewLogo, input))),
    call.ip,
  );
  if ("missing" in drawn) return notFound(call);
  return fileReply(drawn.bytes, invoiceName(invoice));
}
