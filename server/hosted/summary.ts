// What a payment request is for and its amount, in the page's language.

import type { LinkPage } from "@/server/domains/payments/link-page";
import type { PayPage } from "@/server/domains/payments/operations/view";
import { type Html, html } from "@/server/kit/html";
import type { Reader } from "./reader";

/** Signs that several currencies share, so the code is shown beside them. */
const ambiguous = /^[\s\u00a0\u202f]*(\$|£|¥|kr|Rs|₨)[\s\u00a0\u202f]*$/;

/** The name of the account that requests the payment. */
export const sender = (page: Pick<LinkPage, "account_name">, { t }: Reader): Html => html`
  <p class="from"><span class="tile" aria-hidden="true">${initialOf(page.account_name)}</span>
  <span><span class="dim">${t("from")}</span><br>${page.account_name}</span></p>`;

const initialOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? "";

/** The amount, as the largest thing on the page. */
export function headlineAmount(minorUnits: number, currency: string, reader: Reader): Html {
  const text = reader.money(minorUnits, currency);
  const length = text.length > 15 ? " longer" : text.length > 10 ? " long" : "";
  const sign = text.replace(/[\d.,'’٬٫\s\u00a0\u202f-]/g, "");
  return html`<p class="amount${length}">${text}${ambiguous.test(sign) && html` <small>${currency}</small>`}</p>`;
}

/** One line of a list of amounts; `words` if the value is text. */
export const fact = (term: string | Html, value: string, kind: "" | "words" | "item" | "sum" = ""): Html =>
  html`<div${kind !== "" && html` class="${kind}"`}><dt>${term}</dt><dd>${value}</dd></div>`;

/** The line items, the tax and the total; empty for a request without line items. */
export function lineFacts(page: LinkPage, { t, money, number }: Reader): Html[] {
  if (page.lines.length === 0) return [];
  const amountOf = (minorUnits: number) => money(minorUnits, page.currency);
  return [
    ...page.lines.map(({ name, quantity, unit_amount, net_amount }) => {
      const count = t("quantity", { quantity: number(quantity), price: amountOf(unit_amount) });
      const discount = Number(BigInt(quantity) * BigInt(unit_amount) - BigInt(net_amount));
      const term = html`${name}${(quantity > 1 || discount > 0) && html`<span>${count}</span>`}${
        discount > 0 && html`<span>${t("discount", { amount: amountOf(-discount) })}</span>`
      }`;
      return fact(term, amountOf(net_amount), "item");
    }),
    ...(page.tax_amount > 0 ? [fact(t("tax"), amountOf(page.tax_amount))] : []),
    fact(t("total"), amountOf(page.amount), "sum"),
  ];
}

/** The line items and their total; what has been paid, if that is less; the reference. */
export function facts(page: PayPage, reader: Reader): Html | null {
  const { t, money } = reader;
  const isPart = page.amount_paid > 0 && page.amount_paid !== page.amount;
  const rows = [
    ...lineFacts(page, reader),
    ...(isPart ? [fact(t("alreadyPaid"), money(page.amount_paid, page.currency))] : []),
    ...(page.reference === null ? [] : [fact(t("reference"), page.reference, "words")]),
  ];
  return rows.length === 0 ? null : html`<dl class="facts">${rows}</dl>`;
}

/** When it is due, or until when it can be paid. */
export function deadline(page: PayPage, { t, instant, day }: Reader): Html | null {
  if (page.due_at !== null) return html`<p class="dim">${t("due", { date: day(page.due_at) })}</p>`;
  return page.expires_at === null ? null : html`<p class="dim">${t("expires", { date: instant(page.expires_at) })}</p>`;
}

/** How often a subscription is charged. */
export function interval({ subscription }: PayPage, { t }: Reader): Html | null {
  if (subscription === null) return null;
  return html`<p class="dim">${t(`interval.${subscription.interval}`, { count: subscription.interval_count })}</p>`;
}
