// What a receipt says, in the words of its reader: for its page and for its paper.
import type { Means } from "@/server/domains/payments/means";
import type { Receipt } from "@/server/domains/payments/operations/receipt";
import { cardName } from "./card-name";
import type { Reader } from "./reader";

export type ReceiptStatus =
  | "paid"
  | "partially_paid"
  | "refunded"
  | "partially_refunded"
  | "returned"
  | "partially_returned";

/** Minor units that the customer got back, by refunds or from the bank. */
const returnedOf = (receipt: Receipt): number => receipt.amount_refunded + receipt.amount_charged_back;

/** What became of the money. What the bank took back and was paid again counts as never paid before. */
export function statusOf(receipt: Receipt): ReceiptStatus {
  const { amount_due, amount_paid, amount_refunded, amount_charged_back, is_covered } = receipt;
  const isBack = returnedOf(receipt) >= amount_paid;
  if (amount_refunded > 0) return isBack ? "refunded" : "partially_refunded";
  if (isBack) return "returned";
  if (amount_due > 0) return "partially_paid";
  return amount_charged_back > 0 && !is_covered ? "partially_returned" : "paid";
}

/** Minor units: what the customer has paid, less what was partly returned. After a full return it is all that was paid, not 0. */
export const headlineOf = (receipt: Receipt): number =>
  receipt.amount_paid - (returnedOf(receipt) < receipt.amount_paid ? returnedOf(receipt) : 0);

/** "Partly refunded: €29.50 of €88.50", or the state alone where the amounts say nothing more. */
export function stateText(receipt: Receipt, status: ReceiptStatus, { t, money }: Reader): string {
  const { amount_paid, amount_refunded, amount_charged_back, whole_amount, currency } = receipt;
  if (status === "paid" && whole_amount !== null && whole_amount > amount_paid) {
    return t("receipt.partOf", { whole: money(whole_amount, currency) });
  }
  const isByBank = status === "returned" || status === "partially_returned";
  const state = isByBank ? t("receipt.byBank") : t("receipt.state", { state: status });
  const partOf = (part: number, whole: number) =>
    t("receipt.stateOf", { state, part: money(part, currency), whole: money(whole, currency) });
  if (status === "partially_returned") return partOf(amount_charged_back, amount_paid);
  return status === "partially_refunded" ? partOf(amount_refunded, amount_paid - amount_charged_back) : state;
}

/** How it was paid or refunded. */
export const movementName = (means: Means, kind: "payment" | "refund", t: Reader["t"]): string =>
  meansName(means, t) ?? t(`receipt.${kind}`);

/** "Bank transfer", or the card; null if that is not known. */
export function meansName({ card, is_credit, offline }: Means, t: Reader["t"]): string | null {
  if (card !== null) return cardName(card, t);
  if (is_credit) return t("receipt.credit");
  return offline === null || offline === "other" ? null : t(`receipt.${offline}`);
}

/** The totals; empty where they equal the only payment. */
export function totalsOf(receipt: Receipt, { t, money }: Reader): { term: string; value: string; isTotal: boolean }[] {
  const { amount_paid, amount_refunded, amount_charged_back, currency } = receipt;
  if (receipt.payments.length + receipt.refunds.length < 2 && amount_charged_back === 0) return [];
  const total = (term: string, minorUnits: number, isTotal = false) => {
    return { term, value: money(minorUnits, currency), isTotal };
  };
  const paid = total(t("receipt.paid"), amount_paid);
  if (returnedOf(receipt) === 0) return [paid];
  const refunded = amount_refunded > 0 ? [total(t("receipt.refunded"), -amount_refunded)] : [];
  const byBank = amount_charged_back > 0 ? [total(t("receipt.byBank"), -amount_charged_back)] : [];
  return [paid, ...refunded, ...byBank, total(t("receipt.net"), amount_paid - returnedOf(receipt), true)];
}

/** Says that there are more movements than the receipt lists. */
export const cutText = ({ payments, refunds }: Receipt, { t }: Reader): string =>
  t("receipt.cut", { count: payments.length + refunds.length });
