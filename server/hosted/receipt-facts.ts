// What a receipt says, in the words of its reader: for its page and for its paper.
import type { Receipt } from "@/server/domains/payments/operations/receipt";
import { cardName } from "./card-name";
import type { Reader } from "./reader";

export type ReceiptStatus = "paid" | "partially_paid" | "refunded" | "partially_refunded";

export function statusOf({ amount_due, amount_paid, amount_refunded }: Receipt): ReceiptStatus {
  if (amount_refunded >= amount_paid) return "refunded";
  if (amount_refunded > 0) return "partially_refunded";
  return amount_due > 0 ? "partially_paid" : "paid";
}

/** Minor units: what the customer has paid in the end. After a refund of everything, that would be nothing. */
export const headlineOf = (receipt: Receipt): number =>
  receipt.amount_paid - (statusOf(receipt) === "partially_refunded" ? receipt.amount_refunded : 0);

/** "Partly refunded: €29.50 of €88.50", or the state alone where the amounts say nothing more. */
export function stateText(receipt: Receipt, status: ReceiptStatus, { t, money }: Reader): string {
  const { amount_paid, whole_amount, currency } = receipt;
  if (status === "paid" && whole_amount !== null && whole_amount > amount_paid) {
    return t("receipt.partOf", { whole: money(whole_amount, currency) });
  }
  const state = t("receipt.state", { state: status });
  if (status !== "partially_refunded") return state;
  const [part, whole] = [receipt.amount_refunded, receipt.amount_paid].map((each) => money(each, receipt.currency));
  return t("receipt.stateOf", { state, part: part ?? "", whole: whole ?? "" });
}

/** How it was paid or refunded. */
export function movementName(
  { card, is_credit }: Pick<Receipt["payments"][number], "card" | "is_credit">,
  kind: "payment" | "refund",
  t: Reader["t"],
): string {
  return card === null ? t(`receipt.${is_credit ? "credit" : kind}`) : cardName(card, t);
}

/** The totals; empty where they equal the only payment. */
export function totalsOf(receipt: Receipt, { t, money }: Reader): { term: string; value: string; isTotal: boolean }[] {
  const { amount_paid, amount_refunded, currency } = receipt;
  if (receipt.payments.length + receipt.refunds.length < 2) return [];
  const total = (term: string, minorUnits: number, isTotal = false) => {
    return { term, value: money(minorUnits, currency), isTotal };
  };
  const paid = total(t("receipt.paid"), amount_paid);
  if (amount_refunded === 0) return [paid];
  const net = total(t("receipt.net"), amount_paid - amount_refunded, true);
  return [paid, total(t("receipt.refunded"), -amount_refunded), net];
}

/** Says that there are more movements than the receipt lists. */
export const cutText = ({ payments, refunds }: Receipt, { t }: Reader): string =>
  t("receipt.cut", { count: payments.length + refunds.length });
