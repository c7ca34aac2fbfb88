// What a payment request is for and its amount, in the page's language.

import type { LinkPage } from "@/server/domains/payments/link-page";
import type { PayPage } from "@/server/domains/payments/operations/view";
import { lastWholeDay } from "@/server/kit/deadline";
import { type Html, html } from "@/server/kit/html";
import { limits } from "@/server/kit/limits";
import { pieces } from "@/server/kit/units";
import { iso } from "@/server/process/clock";
import type { Reader } from "./reader";

/** Signs that several currencies share, so the code is shown beside them. */
const ambiguous = /^[\s\u00a0\u202f]*(\$|£|¥|kr|Rs|₨)[\s\u00a0\u202f]*$/;

/** The account that requests the payment: its logo, or the initial of its name, and its name. */
export const sender = ({ account_name: name, logo_path: logo }: Sender, { t }: Reader): Html => html`
  <p class="from">${
    logo === null
      ? html`<span class="tile" aria-hidden="true">${initialOf(name)}</span>`
      : html`<img class="logo" src="${logo}" alt="">`
  }
  <span><span class="dim">${t("from")}</span><br><bdi>${name}</bdi></span></p>`;

type Sender = Pick<LinkPage, "account_name" | "logo_path">;

const initialOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? "";

/** The amount, as the largest thing on the page, and how often it is charged. */
export function headlineAmount(
  minorUnits: number,
  currency: string,
  reader: Reader,
  interval: string | null = null,
): Html {
  return amountLine(amountText(minorUnits, currency, reader, interval), {
    longest: reader.money(minorUnits, currency),
  });
}

/** A line in large, small enough for the longest amount in it. Screen readers say a line that changes once it does. */
export function amountLine(content: Html, { longest, changes = false }: { longest: string; changes?: boolean }): Html {
  const length = longest.length > 15 ? " longer" : longest.length > 10 ? " long" : "";
  return html`<p class="amount${length}"${changes && html` aria-live="polite"`}>${content}</p>`;
}

/** An amount, with its currency where the sign does not say which, and what is said about it. */
export function amountText(minorUnits: number, currency: string, reader: Reader, about: string | null = null): Html {
  const text = reader.money(minorUnits, currency);
  const sign = text.replace(/[\d.,'’٬٫\s\u00a0\u202f-]/g, "");
  return html`${text}${ambiguous.test(sign) && html` <small>${currency}</small>`}${about !== null && html` <small>${about}</small>`}`;
}

/** Whether a description takes at most three lines on a phone, and two elsewhere. */
export const fitsHeading = (text: string): boolean => text.length <= 120;

/** The description. A long one is cut to two lines until the reader opens it, which needs no script. */
export function description({ description: text }: Pick<LinkPage, "description">, { t }: Reader): Html | null {
  if (text === null) return null;
  if (fitsHeading(text)) return html`<p class="what"><bdi>${text}</bdi></p>`;
  return html`<div class="what"><p class="cut" dir="auto">${text}</p>
    <details><summary>${t("wholeDescription")}</summary></details></div>`;
}

/** Back to the merchant's site. */
export const backLink = (url: string, t: Reader["t"]): Html =>
  html`<a class="button" href="${url}" rel="noreferrer">${t("back", { site: new URL(url).host })}</a>`;

/** One line of a list of amounts; `words` if the value is text. */
export const fact = (term: string | Html, value: string, kind: "" | "words" | "item" | "sum" = ""): Html =>
  html`<div${kind !== "" && html` class="${kind}"`}><dt>${term}</dt><dd>${value}</dd></div>`;

/** The line items, the subtotal, the tax of each rate and the total; empty for a request without line items. */
export function lineFacts(page: LinkPage, reader: Reader): Html[] {
  if (page.lines.length === 0) return [];
  const { t, money } = reader;
  const amountOf = (minorUnits: number) => money(minorUnits, page.currency);
  return [
    ...page.lines.map(({ name, quantity, unit, unit_amount, net_amount }) => {
      const count = t("quantity", { quantity: reader.quantity(quantity, unit), price: amountOf(unit_amount) });
      const discount = Number(BigInt(quantity) * BigInt(unit_amount) - BigInt(net_amount));
      const term = html`<bdi>${name}</bdi>${(quantity > 1 || unit !== pieces || discount > 0) && html`<span>${count}</span>`}${
        discount > 0 && html`<span>${t("discount", { amount: amountOf(-discount) })}</span>`
      }`;
      return fact(term, amountOf(net_amount), "item");
    }),
    ...lineSums(page, reader).map(({ term, value, isTotal }) => fact(term, value, isTotal ? "sum" : "")),
  ];
}

interface Sum {
  term: string;
  value: string;
  isTotal: boolean;
}

/** The subtotal, the tax of each rate and the total of a request with line items. */
export function lineSums(page: LinkPage, { t, money, percent }: Reader): Sum[] {
  const amountOf = (minorUnits: number) => money(minorUnits, page.currency);
  const sum = (term: string, minorUnits: number) => ({ term, value: amountOf(minorUnits), isTotal: false });
  return [
    ...(page.taxes.length > 0 ? [sum(t("subtotal"), page.subtotal)] : []),
    ...page.taxes.map(({ rate_bp, net_amount, amount }) => {
      const rate = percent(rate_bp / 10_000);
      // A rate that is not on everything names what it is on.
      const isOnAll = net_amount === page.subtotal;
      return sum(isOnAll ? t("tax", { rate }) : t("taxOn", { rate, amount: amountOf(net_amount) }), amount);
    }),
    { ...sum(t("total"), page.amount), isTotal: true },
  ];
}

/** The line items and their total; what has been paid, if that is less; the reference. */
export const facts = (page: PayPage, reader: Reader): Html | null =>
  list([...lineFacts(page, reader), ...otherFacts(page, reader)]);

/**
 * The same on an open page. On a phone the line items are folded, so that the button to pay is in sight, below what
 * they are; on a wide screen the style sheet shows them.
 */
export function foldedFacts(page: PayPage, reader: Reader): Html {
  const [first, ...others] = page.lines;
  const lines = list(lineFacts(page, reader));
  const name = shortened(first?.name ?? "");
  const named = others.length === 0 ? name : reader.t("items", { first: name, more: others.length });
  return html`${
    lines !== null && html`<details class="fold"><summary>${named}</summary>${lines}</details>`
  }${list(otherFacts(page, reader))}`;
}

/** At most two lines on the smallest phones, with the words around it. */
const shortened = (name: string): string => {
  const letters = Array.from(name);
  if (letters.length <= limits.foldedName) return name;
  const first = letters.slice(0, limits.foldedName - 1).join("");
  return `${first.trimEnd()}…`;
};

function otherFacts(page: PayPage, reader: Reader): Html[] {
  return [
    ...(keptOf(page) === page.amount ? returnedFact(page, reader) : paidFacts(page, reader)),
    ...(page.reference === null ? [] : [fact(reader.t("reference"), page.reference, "words")]),
  ];
}

type Paid = Pick<PayPage, "amount_paid" | "amount_charged_back" | "currency">;

/** Minor units that were paid, less what the customer's bank took back. */
export const keptOf = ({ amount_paid, amount_charged_back }: Omit<Paid, "currency">): number =>
  amount_paid - amount_charged_back;

/** What was paid so far, and what the bank took back. */
export const paidFacts = (page: Paid, reader: Reader): Html[] => [
  ...(keptOf(page) > 0 ? [fact(reader.t("alreadyPaid"), reader.money(keptOf(page), page.currency))] : []),
  ...returnedFact(page, reader),
];

const returnedFact = ({ amount_charged_back: returned, currency }: Paid, { t, money }: Reader): Html[] =>
  returned > 0 ? [fact(t("receipt.byBank"), money(returned, currency))] : [];

/** The rows as a list; null without any. */
export const list = (rows: Html[]): Html | null => (rows.length === 0 ? null : html`<dl class="facts">${rows}</dl>`);

/** When it is due, or the last whole day on which it can be paid. In the last two days, the time is shown. */
export function deadline(page: PayPage, { t, instant, day }: Reader): Html | null {
  const { due_at, expires_at, installments } = page;
  // Installments have dates of their own, and not all that is due is due on the first.
  if (due_at !== null && installments === null) return html`<p class="dim">${t("due", { date: day(due_at) })}</p>`;
  if (expires_at === null) return null;
  const lastDay = lastWholeDay(Date.parse(expires_at), Date.parse(page.read_at));
  const date = lastDay === null ? instant(expires_at) : day(iso(lastDay));
  return html`<p class="dim">${t("expires", { date })}</p>`;
}

/** How often a subscription is charged. */
export const interval = ({ subscription }: LinkPage, { t }: Reader): string | null =>
  subscription && t(`interval.${subscription.interval}`, { count: subscription.interval_count });
