// The receipt behind a pay link: a page with an address that stays.

import { paymentReceipt } from "@/server/domains/payments/operations/receipt";
import type { HttpReply } from "@/server/http/exchange";
import type { PageCall } from "./call";
import { payPathOf } from "./path";
import { readerOf } from "./reader";
import { receiptDocument } from "./receipt-document";
import { pageReply } from "./response";

/** Shows what was paid; before that, that there is no receipt yet. */
export async function showReceipt(call: PageCall, token: string): Promise<HttpReply> {
  const receipt = await call.perform(paymentReceipt, { token });
  return pageReply(receiptDocument(receipt, readerOf(call, receipt), payPathOf(token)), 200);
}
