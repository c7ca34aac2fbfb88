// The receipts behind a pay link, each at a permanent address, as a page and with `?format=pdf` as a file.

import { viewLogo } from "@/server/domains/accounts/operations/view-logo";
import { receiptPartIn } from "@/server/domains/payments/link";
import { paymentReceipt, type Receipt } from "@/server/domains/payments/operations/receipt";
import type { HttpReply } from "@/server/http/exchange";
import { Failure } from "@/server/kit/errors";
import { mailLanguages } from "@/server/kit/languages";
import { protectiveHeaders } from "@/server/kit/protective-headers";
import type { PageCall } from "./call";
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
  const paper = receiptPaper(receipt, readerOf(call, receipt, mailLanguages), await logoOf(call, receipt));
  const drawn = await render(paper, call.ip);
  if ("missing" in drawn) return pageReply(noPdfDocument(receipt, reader, path, drawn.missing), 422);
  return { status: 200, headers: fileHeaders(receipt), body: null, bytes: drawn.bytes };
}

/** Saved, not shown in place: viewers of PDF files in browsers need more than our policy grants. */
const fileHeaders = ({ payments }: Receipt): Record<string, string> => ({
  ...protectiveHeaders,
  "Content-Type": "application/pdf",
  "Content-Disposition": `attachment; filename="receipt-${payments[0]?.transaction_id}.pdf"`,
  "X-Robots-Tag": "noindex, nofollow",
  "Cross-Origin-Resource-Policy": "same-origin",
});

/** The account's logo in base64; null without one, or if it was replaced in this moment. */
async function logoOf(call: PageCall, { logo_path }: Receipt): Promise<string | null> {
  const hash = /([0-9a-f]{64})/.exec(logo_path ?? "")?.[1];
  if (hash === undefined) return null;
  try {
    return (await call.perform(viewLogo, { hash })).image;
  } catch (error) {
    if (error instanceof Failure && error.code === "logo_not_found") return null;
    throw error;
  }
}
