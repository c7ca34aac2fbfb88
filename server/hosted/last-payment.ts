// The note about the payment that arrived last, on a pay page on which more is due.
import { receiptPart } from "@/server/domains/payments/link";
import type { PayPage } from "@/server/domains/payments/operations/view";
import { type Html, html } from "@/server/kit/html";
import type { Reader } from "./reader";

/**
 * The payment that arrived last, with its receipt, and the receipt of all if there were others. It is no good news once
 * the customer's bank has taken money back, and says so.
 */
export function lastPayment(page: PayPage, reader: Reader, path: string): Html | null {
  const { last_payment: last, amount_paid, amount_charged_back: returned, currency } = page;
  if (last === null) return null;
  const { t, money, day, link } = reader;
  const isOnly = last.amount === amount_paid;
  const own = isOnly ? receiptOf(path, reader) : link(`${path}/receipt`, receiptPart(last.transaction_id));
  return html`<div class="part alert"><div class="note ${returned > 0 ? "hint" : "good"}" role="status">
    <p>${t("part.received", { amount: money(last.amount, currency), date: day(last.at) })}</p>
    ${returned > 0 && html`<p>${t("part.takenBack", { amount: money(returned, currency) })}</p>`}
    <a href="${own}">${t("viewReceipt")}</a>
    ${!isOnly && html`<a href="${receiptOf(path, reader)}">${t("part.allPayments")}</a>`}</div></div>`;
}

/** The address of the receipt of everything that was paid. */
export const receiptOf = (path: string, { link }: Reader): string => link(`${path}/receipt`);
