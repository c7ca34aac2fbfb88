// The receipt: who paid whom for what, and each payment and refund with its date. Prints on one page.

import { receiptPart } from "@/server/domains/payments/link";
import type { Receipt } from "@/server/domains/payments/operations/receipt";
import { type Html, html } from "@/server/kit/html";
import { cardName } from "./card-name";
import { type Document, frame, state } from "./frame";
import { printButton, printScript } from "./print";
import type { Reader } from "./reader";
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
    script: isPaid ? printScript : null,
    body: isPaid
      ? receiptBody(receipt, reader, path)
      : html`${state("over", heading, t("receipt.notYetText"))}
        <div class="part acts"><a class="button outline" href="${reader.link(path)}">${t("receipt.toRequest")}</a></div>`,
  });
}

function receiptBody(receipt: Receipt, reader: Reader, path: string): Html {
  const { t } = reader;
  const { payments, refunds, amount_paid: paid, amount_refunded: refunded } = receipt;
  const status = statusOf(receipt);
  // What the customer has paid in the end comes first. After a refund of everything, that would be nothing.
  const amount = status === "partially_refunded" ? paid - refunded : paid;
  return html`
    <div class="part">${sender(receipt, reader)}
    <h1>${t("receipt.title")}</h1>
    ${headlineAmount(amount, receipt.currency, reader)}
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
    <div class="part acts">${wayOn(receipt, status, reader, path)}${printButton(t("receipt.print"))}</div>`;
}

/** "Partly refunded: €29.50 of €88.50", or the state alone where the amounts say nothing more. */
function stateText(receipt: Receipt, status: ReceiptStatus, { t, money }: Reader): string {
  const { amount_paid, whole_amount, currency } = receipt;
  if (status === "paid" && whole_amount !== null && whole_amount > amount_paid) {
    return t("receipt.partOf", { whole: money(whole_amount, currency) });
  }
  const state = t("receipt.state", { state: status });
  if (status !== "partially_refunded") return state;
  const [part, whole] = [receipt.amount_refunded, receipt.amount_paid].map((each) => money(each, receipt.currency));
  return t("receipt.stateOf", { state, part: part ?? "", whole: whole ?? "" });
}

/** Back to the merchant's site once everything is paid, or to the rest that is not, or to the whole. */
function wayOn({ whole_amount, success_url }: Receipt, status: ReceiptStatus, { t, link }: Reader, path: string) {
  if (status === "partially_paid" || whole_amount !== null) {
    return html`<a class="button outline" href="${link(path)}">${t("receipt.toRequest")}</a>`;
  }
  return status === "paid" && success_url !== null && backLink(success_url, t);
}

function subject(receipt: Receipt, reader: Reader): Html {
  const { reference, customer_name, account_email } = receipt;
  const rows = [
    ...lineFacts(receipt, reader),
    ...(customer_name === null ? [] : [fact(reader.t("receipt.for"), customer_name, "words")]),
    ...(reference === null ? [] : [fact(reader.t("reference"), reference, "words")]),
    fact(reader.t("receipt.contact"), account_email, "words"),
  ];
  return html`<dl class="facts">${rows}</dl>`;
}

type ReceiptStatus = ReturnType<typeof statusOf>;

function statusOf({ amount_due, amount_paid, amount_refunded }: Receipt) {
  if (amount_refunded >= amount_paid) return "refunded";
  if (amount_refunded > 0) return "partially_refunded";
  return amount_due > 0 ? "partially_paid" : "paid";
}

type Movement = Receipt["payments"][number];

/** The address of the receipt of a payment alone; null where that is this one, or says the same. */
const partOf = ({ transaction_id }: Movement, { payments }: Receipt, { link }: Reader, path: string): string | null =>
  payments.length > 1 ? link(`${path}/receipt`, receiptPart(transaction_id)) : null;

/** One payment or refund: its method, its date, and the reference by which the merchant finds it. */
function movement(
  { card, is_credit, at, amount, transaction_id }: Movement,
  { currency }: Receipt,
  reader: Reader,
  kind: "payment" | "refund",
  address: string | null = null,
): Html {
  const { t, instant, money } = reader;
  const code = html`<code>${transaction_id}</code>`;
  const name = card === null ? t(`receipt.${is_credit ? "credit" : kind}`) : cardName(card, t);
  const term = html`${name}<span>${instant(at)}</span>${address === null ? code : html`<a href="${address}">${code}</a>`}`;
  return fact(term, money(kind === "refund" ? -amount : amount, currency), "item");
}

/** The totals, unless they equal the only payment above. */
function sums(receipt: Receipt, { t, money }: Reader): Html | null {
  const { amount_paid, amount_refunded, currency, is_cut } = receipt;
  if (receipt.payments.length + receipt.refunds.length < 2) return null;
  const rows = [
    fact(t("receipt.paid"), money(amount_paid, currency)),
    ...(amount_refunded > 0
      ? [
          fact(t("receipt.refunded"), money(-amount_refunded, currency)),
          fact(t("receipt.net"), money(amount_paid - amount_refunded, currency), "sum"),
        ]
      : []),
  ];
  return html`<div class="part"><h2>${t("receipt.totals")}</h2>
    <dl class="facts">${rows}</dl>
    ${is_cut && html`<p class="dim">${t("receipt.cut", { count: receipt.payments.length + receipt.refunds.length })}</p>`}</div>`;
}
