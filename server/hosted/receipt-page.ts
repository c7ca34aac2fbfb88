// The receipts behind a pay link, each at a permanent address.

import { receiptPartIn } from "@/server/domains/payments/link";
import { paymentReceipt } from "@/server/domains/payments/operations/receipt";
import type { HttpReply } from "@/server/http/exchange";
import type { PageCall } from "./call";
import { payPathOf } from "./path";
import { readerOf } from "./reader";
import { receiptDocument } from "./receipt-document";
import { pageReply } from "./response";

/** Shows the receipt, or that there is none yet. */
export async function showReceipt(call: PageCall, token: string): Promise<HttpReply> {
  const receipt = await call.perform(paymentReceipt, { token, transaction_id: receiptPartIn(call.query) });
  return pageReply(receiptDocument(receipt, readerOf(call, receipt), payPathOf(token)), 200);
}
