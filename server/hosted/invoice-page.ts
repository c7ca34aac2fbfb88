// The PDF of the invoice behind a pay link, at a permanent address.
import { paymentInvoice } from "@/server/domains/payments/operations/invoice";
import type { HttpReply } from "@/server/http/exchange";
import { mailLanguages } from "@/server/kit/languages";
import { notFound } from "./answers";
import type { PageCall } from "./call";
import { fileReply, logoOf } from "./paper-file";
import { invoicePaper } from "./papers/invoice-paper";
import { render } from "./papers/render";
import { readerOf } from "./reader";

/** Sends the file. There is none of what is no invoice, or has a character that the fonts of papers lack. */
export async function showInvoice(call: PageCall, token: string): Promise<HttpReply> {
  const invoice = await call.perform(paymentInvoice, { token });
  const reader = readerOf(call, invoice, mailLanguages);
  const drawn = await render(invoicePaper(invoice, reader, await logoOf(call, invoice)), call.ip);
  if ("missing" in drawn) return notFound(call);
  return fileReply(drawn.bytes, `invoice-${invoice.record.number.replace(/[^A-Za-z0-9._-]/g, "-")}`);
}
