// The receipt: what was paid for, and each payment and refund with its date. Prints on one page.

import type { Receipt } from "@/server/domains/payments/operations/receipt";
import { type Html, html } from "@/server/kit/html";
import { cardName } from "./card-name";
import { type Document, frame, state } from "./frame";
import type { Reader } from "./reader";

import { fact, headlineAmount, lineFacts, sender } from "./summary";

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
    body: isPaid
      ? receiptBody(receipt, reader, path)
      : html`${state("over", heading, t("receipt.notYetText"))}
        <div class="part acts"><a class="button outline" href="${reader.link(path)}">${t("receipt.toRequest")}</a></div>`,
  });
}

function receiptBody(receipt: Receipt, reader: Reader, path: string): Html {
  const { t, link } = reader;
  const { payments, refunds } = receipt;
  return html`
    <div class="part">${sender(receipt, reader)}
    <h1>${t("receipt.title")}</h1>
    ${headlineAmount(receipt.amount_paid, receipt.currency, reader)}
    <p class="dim">${t("receipt.state", { state: statusOf(receipt) })}</p>
    ${receipt.description !== null && html`<p class="what">${receipt.description}</p>`}
    ${subject(receipt, reader)}</div>
    <div class="part"><h2>${t("receipt.payments")}</h2>
    <dl class="facts">${payments.map((each) => movement(each, receipt, reader, "payment"))}</dl></div>
    ${
      refunds.length > 0 &&
      html`<div class="part"><h2>${t("receipt.refunds")}</h2>
        <dl class="facts">${refunds.map((each) => movement(each, receipt, reader, "refund"))}</dl></div>`
    }
    ${sums(receipt, reader)}
    <div class="part acts"><a class="button outline" href="${link(path)}">${t("receipt.toRequest")}</a></div>`;
}

function subject(receipt: Receipt, reader: Reader): Html | null {
  const { reference } = receipt;
  const rows = [
    ...lineFacts(receipt, reader),
    ...(reference === null ? [] : [fact(reader.t("reference"), reference, "words")]),
  ];
  return rows.length === 0 ? null : html`<dl class="facts">${rows}</dl>`;
}

function statusOf({ amount_due, amount_paid, amount_refunded }: Receipt) {
  if (amount_refunded >= amount_paid) return "refunded";
  if (amount_refunded > 0) return "partially_refunded";
  return amount_due > 0 ? "partially_paid" : "paid";
}

type Movement = Receipt["payments"][number];

/** One payment or refund: its method, its date, and the reference by which the merchant finds it. */
function movement(
  { card, at, amount, transaction_id }: Movement,
  { currency }: Receipt,
  reader: Reader,
  kind: "payment" | "refund",
): Html {
  const { t, instant, money } = reader;
  const name = card === null ? t(`receipt.${kind}`) : cardName(card, t);
  const term = html`${name}<span>${instant(at)}</span><code>${transaction_id}</code>`;
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
