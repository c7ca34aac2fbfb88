// The receipt: who paid whom for what, and each payment and refund with its date. Prints on one page.

import { receiptPart } from "@/server/domains/payments/link";
import type { Receipt } from "@/server/domains/payments/operations/receipt";
import { type Html, html } from "@/server/kit/html";
import { type Document, frame, state } from "./frame";
import { printButton, printScript } from "./print";
import type { Reader } from "./reader";
import { cutText, headlineOf, movementName, type ReceiptStatus, stateText, statusOf, totalsOf } from "./receipt-facts";
import { backLink, description, fact, headlineAmount, lineFacts, sender } from "./summary";

/** The receipt of the payment request at `path`, or a page saying that nothing has been paid yet. */
export function receiptDocument(receipt: Receipt, reader: Reader, path: string): Document {
  const { t } = reader;
  const isPaid = receipt.amount_paid > 0;
  const heading = isPaid ? t("receipt.title") : t("receipt.notYet");
  return frame({
    title: t("title", { heading, account: receipt.account_name }),
    reader,
    brandColor: receipt.brand_color,
    isTest: !receipt.livemode,
    hasLogo: receipt.logo_path !== null,
    contact: receipt,
    script: isPaid ? printScript : null,
    body: isPaid
      ? receiptBody(receipt, reader, path)
      : html`${state("over", heading, t("receipt.notYetText"))}
        <div class="part acts"><a class="button outline" href="${reader.link(path)}">${t("receipt.toRequest")}</a></div>`,
  });
}

/** Says that the receipt contains a character which our PDF files cannot show. */
export function noPdfDocument(receipt: Receipt, reader: Reader, path: string, character: string): Document {
  const { t } = reader;
  const heading = t("receipt.noPdf");
  return frame({
    title: t("title", { heading, account: receipt.account_name }),
    reader,
    brandColor: receipt.brand_color,
    isTest: !receipt.livemode,
    body: html`${state("over", heading, t("receipt.noPdfText", { character }))}
      <div class="part acts"><a class="button outline" href="${addressOf(receipt, reader, path)}">${t("receipt.open")}</a></div>`,
  });
}

/** The address of this receipt: of all payments, or of one. */
function addressOf({ whole_amount, payments }: Receipt, { link }: Reader, path: string, format = {}): string {
  const part = whole_amount === null ? {} : receiptPart(payments[0]?.transaction_id ?? "");
  return link(`${path}/receipt`, { ...part, ...format });
}

function receiptBody(receipt: Receipt, reader: Reader, path: string): Html {
  const { t } = reader;
  const { payments, refunds } = receipt;
  const status = statusOf(receipt);
  return html`
    <div class="part">${sender(receipt, reader)}
    <h1>${t("receipt.title")}</h1>
    ${headlineAmount(headlineOf(receipt), receipt.currency, reader)}
    <p class="dim">${stateText(receipt, status, reader)}</p>
    ${description(receipt, reader)}
    ${subject(receipt, reader)}</div>
    <div class="part"><h2>${t("receipt.payments")}</h2>
    <dl class="facts">${payments.map((each) => movement(each, receipt, reader, "payment", partOf(each, receipt, reader, path)))}</dl></div>
    ${
      refunds.length > 0 &&
      html`<div class="part"><h2>${t("receipt.refunds")}</h2>
        <dl class="facts">${refunds.map((each) => movement(each, receipt, reader, "refund"))}</dl></div>`
    }
    ${sums(receipt, reader)}
    <div class="part acts">${wayOn(receipt, status, reader, path)}<a class="button outline" href="${addressOf(receipt, reader, path, { format: "pdf" })}">${t("receipt.pdf")}</a>${printButton(t("receipt.print"))}</div>`;
}

/** Back to the merchant's site once everything is paid, or to the rest that is not, or to the whole. */
function wayOn(
  { amount_due, whole_amount, success_url }: Receipt,
  status: ReceiptStatus,
  { t, link }: Reader,
  path: string,
) {
  if (amount_due > 0 || whole_amount !== null) {
    return html`<a class="button outline" href="${link(path)}">${t("receipt.toRequest")}</a>`;
  }
  return status === "paid" && success_url !== null && backLink(success_url, t);
}

function subject(receipt: Receipt, reader: Reader): Html {
  const { reference, customer, account_email } = receipt;
  const rows = [
    ...lineFacts(receipt, reader),
    ...(customer === null ? [] : [fact(reader.t("receipt.for"), customer, "words")]),
    ...(reference === null ? [] : [fact(reader.t("reference"), reference, "words")]),
    fact(reader.t("receipt.contact"), account_email, "words"),
  ];
  return html`<dl class="facts">${rows}</dl>`;
}

type Movement = Receipt["payments"][number];

/** The address of the receipt of a payment alone; null where that is this one, or says the same. */
const partOf = ({ transaction_id }: Movement, { payments }: Receipt, { link }: Reader, path: string): string | null =>
  payments.length > 1 ? link(`${path}/receipt`, receiptPart(transaction_id)) : null;

/** One payment or refund: its method, its date, and the reference by which the merchant finds it. */
function movement(
  { at, amount, transaction_id, ...method }: Movement,
  { currency }: Receipt,
  reader: Reader,
  kind: "payment" | "refund",
  address: string | null = null,
): Html {
  const { t, instant, money } = reader;
  const code = html`<code>${transaction_id}</code>`;
  const term = html`${movementName(method, kind, t)}<span>${instant(at)}</span>${address === null ? code : html`<a href="${address}">${code}</a>`}`;
  return fact(term, money(kind === "refund" ? -amount : amount, currency), "item");
}

/** The totals, unless they equal the only payment above. */
function sums(receipt: Receipt, reader: Reader): Html | null {
  const { t } = reader;
  const rows = totalsOf(receipt, reader).map(({ term, value, isTotal }) => fact(term, value, isTotal ? "sum" : ""));
  return html`${
    rows.length > 0 &&
    html`<div class="part"><h2>${t("receipt.totals")}</h2>
    <dl class="facts">${rows}</dl>
    ${receipt.is_cut && html`<p class="dim">${cutText(receipt, reader)}</p>`}</div>`
  }`;
}
