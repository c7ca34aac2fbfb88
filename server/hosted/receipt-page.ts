// The receipts behind a pay link, each at a permanent address, as a page and with `?format=pdf` as a file.

import { viewLogo } from "@/server/domains/accounts/operations/view-logo";
import { receiptPartIn } from "@/server/domains/payments/link";
import { paymentReceipt } from "@/server/domains/payments/operations/receipt";
import type { HttpReply } from "@/server/http/exchange";
import { mailLanguages } from "@/server/kit/languages";
import type { PageCall } from "./call";
import { fileReply, logoOf } from "./paper-file";
import { receiptPaper } from "./papers/receipt-paper";
import { render } from "./papers/render";
import { payPathOf } from "./path";
import { readerOf } from "./reader";
import { noPdfDocument, receiptDocument } from "./receipt-document";
import { pageReply } from "./response";

/** Shows the receipt, or that there is none yet. */
export async function showReceipt(call: PageCall, token: string): Promise<HttpReply> {
  const receipt = await call.perform(paymentReceipt, { token, transaction_id: receiptPartIn(call.query) });
  const [reader, path] = [readerOf(call, receipt), payPathOf(token)];
  if (call.query.get("format") !== "pdf" || receipt.payments.length === 0) {
    return pageReply(receiptDocument(receipt, reader, path), 200);
  }
  const paper = receiptPaper(
    receipt,
    readerOf(call, receipt, mailLanguages),
    await logoOf(receipt, (input) => call.perform(viewLogo, input)),
  );
  const drawn = await render(paper, call.ip);
  if ("missing" in drawn) return pageReply(noPdfDocument(receipt, reader, path, drawn.missing), 422);
  return fileReply(drawn.bytes, `receipt-${receipt.payments[0]?.transaction_id}`);
}
