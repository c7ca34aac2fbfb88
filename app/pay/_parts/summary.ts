// What a request is for and how much it is, in the words of its page.
import type { PayPage } from "@/server/payments/view";
import { type Html, html } from "./html";
import type { Reader } from "./text";

/** Currencies share these signs, so the code stands beside them. */
const ambiguous = /^[\s\u00a0\u202f]*(\$|£|¥|kr|Rs|₨)[\s\u00a0\u202f]*$/;

/** Who asks. */
export const sender = (page: PayPage, { t }: Reader): Html => html`
  <p class="from"><span class="tile" aria-hidden="true">${initialOf(page.account_name)}</span>
  <span><span class="dim">${t("from")}</span><br>${page.account_name}</span></p>`;

const initialOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? "";

/** An amount as the largest thing on the page. */
export function headlineAmount(minorUnits: number, currency: string, reader: Reader): Html {
  const text = reader.money(minorUnits, currency);
  const sign = text.replace(/[\d.,'’٬٫\s\u00a0\u202f-]/g, "");
  return html`<p class="amount">${text}${ambiguous.test(sign) && html` <small>${currency}</small>`}</p>`;
}

/** The lines, tax and total; what has been paid of it; the reference. */
export function facts(page: PayPage, reader: Reader): Html | null {
  const { t, money } = reader;
  const amountOf = (minorUnits: number) => money(minorUnits, page.currency);
  const rows = [
    ...page.lines.map(
      (line) =>
        html`<div class="item"><dt>${line.name}${
          line.quantity > 1 &&
          html`<span>${t("quantity", { quantity: line.quantity, price: amountOf(line.unit_amount) })}</span>`
        }</dt><dd>${amountOf(line.net_amount)}</dd></div>`,
    ),
    page.tax_amount > 0 ? html`<div><dt>${t("tax")}</dt><dd>${amountOf(page.tax_amount)}</dd></div>` : null,
    page.lines.length > 0 ? html`<div class="sum"><dt>${t("total")}</dt><dd>${amountOf(page.amount)}</dd></div>` : null,
    page.state === "open" && page.amount_paid > 0
      ? html`<div><dt>${t("alreadyPaid")}</dt><dd>${amountOf(page.amount_paid)}</dd></div>`
      : null,
    page.reference === null ? null : html`<div><dt>${t("reference")}</dt><dd>${page.reference}</dd></div>`,
  ].filter((row) => row !== null);
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
