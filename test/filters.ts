// The documented filters of the lists a second time, for tests: over the answers, row by row.

import type * as z from "zod";
import type { listPaymentRequests } from "@/server/domains/payments/operations/list";
import type { listTransactions } from "@/server/domains/transactions/operations/list";
import type { Transaction } from "@/server/domains/transactions/schema";
import { currencies } from "@/server/kit/currency";

export type PaymentQuery = z.input<typeof listPaymentRequests.input>;
export type TransactionQuery = z.input<typeof listTransactions.input>;
export type Payment = z.output<typeof listPaymentRequests.output>["data"][number];

/** Whether a filter is absent or holds. */
const holds = <T>(value: T | undefined, test: (value: T) => boolean): boolean => value === undefined || test(value);

const hasAll = (stored: Record<string, string> | undefined, wanted: Record<string, string>): boolean =>
  Object.entries(wanted).every(([key, value]) => stored?.[key] === value);

/** ICU's default collation: which texts differ only in case, accents and the like. */
const { compare } = new Intl.Collator("und", { sensitivity: "base" });

const split = (text: string): string[] => text.normalize("NFKC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Whether the part is a prefix of the word, as far as the collation distinguishes letters. */
const begins = (part: string, word: string): boolean =>
  Array.from(word).some((_, end, letters) => compare(letters.slice(0, end + 1).join(""), part) === 0);

/** Whether each word of the search begins one of the record's. */
function isFound(
  q: string,
  { reference, description, customer }: Pick<Transaction, "reference" | "description" | "customer">,
  ...others: (string | null | undefined)[]
) {
  const texts = [reference, description, customer?.name, customer?.email, ...others];
  const words = texts.flatMap((text) => split(text ?? ""));
  return split(q).every((part) => words.some((word) => begins(part, word)));
}

type Dated = Pick<Transaction, "created_at" | "currency" | "reference" | "customer">;
type Shared = Pick<PaymentQuery, "created_from" | "created_to" | "currency" | "reference" | "customer_email">;

/** The filters that both lists have. */
const matchesShared = (row: Dated, query: Shared): boolean =>
  holds(query.created_from, (at) => Date.parse(row.created_at) >= Date.parse(at)) &&
  holds(query.created_to, (at) => Date.parse(row.created_at) < Date.parse(at)) &&
  holds(query.currency, (currency) => row.currency === currency.toUpperCase()) &&
  holds(query.reference, (reference) => row.reference === reference) &&
  holds(query.customer_email, (email) => row.customer?.email?.toLowerCase() === email.toLowerCase());

/** A refund or a lost dispute leaves what is due as it is. */
const isRefundedAndDue = ({ status, amount_due, dispute_status: dispute }: Payment): boolean =>
  amount_due > 0 &&
  (["partially_refunded", "refunded"].includes(status) || (status === "disputed" && dispute === "lost"));

const isUnpaid = (row: Payment): boolean =>
  ["pending", "requires_action", "partially_paid"].includes(row.status) || isRefundedAndDue(row);

/** Whether the amount, or the rest of it, still waits for the customer. */
const isOpen = (row: Payment): boolean => !isIdle(row) && (isUnpaid(row) || row.status === "processing");

/** A reusable link, or a use of one that nobody is paying. */
const isIdle = (row: Payment): boolean =>
  row.usage_limit !== 1 || (row.parent_payment_id !== null && row.status === "pending" && row.amount_paid === 0);

const isOverdue = (row: Payment, now: number): boolean =>
  row.due_at !== null && Date.parse(row.due_at) < now && isUnpaid(row);

/** Whether the payment request ends by itself before an instant. */
const isEnding = (row: Payment, before: string): boolean => {
  const end = isUnpaid(row) ? row.expires_at : row.status === "authorized" ? row.capture_before : null;
  return end !== null && Date.parse(end) < Date.parse(before);
};

/** Whether the text is the amount, written with decimals. */
const isAmount = (q: string, { amount, currency }: Payment): boolean =>
  amount !== null &&
  /^\d+[.,]\d{1,2}$/.test(q) &&
  Number(q.replace(",", ".")) === amount / 10 ** (currencies[currency] ?? 0);

/** Whether the payment request matches. `now`, in epoch ms, is also the time of its status. */
export const matchesPayment = (row: Payment, query: PaymentQuery, now: number): boolean =>
  matchesShared(row, query) &&
  holds(query.account_id, (id) => row.account_id === id) &&
  holds(query.customer_id, (id) => row.customer?.customer_id === id) &&
  holds(query.status, (statuses) => statuses.includes(row.status)) &&
  holds(query.type, (types) => types.includes(row.type)) &&
  holds(query.open, (open) => isOpen(row) === open) &&
  holds(query.reusable, (reusable) => (row.usage_limit !== 1) === reusable) &&
  holds(query.parent_payment_id, (id) => row.parent_payment_id === id) &&
  holds(query.subscription_id, (id) => row.subscription_id === id) &&
  holds(query.overdue, (overdue) => isOverdue(row, now) === overdue) &&
  holds(query.overpaid, (overpaid) => row.amount_overpaid > 0 === overpaid) &&
  holds(query.credited, (isCredited) => row.credit_notes.some((note) => note.voided_at === null) === isCredited) &&
  holds(query.ends_before, (at) => isEnding(row, at)) &&
  holds(
    query.q,
    (q) =>
      [row.payment_id, ...row.transaction_ids].includes(q) ||
      isAmount(q, row) ||
      (!isId(q) && isFound(q, row, row.invoice_number)),
  );

export const matchesTransaction = (row: Transaction, query: TransactionQuery): boolean =>
  matchesShared(row, query) &&
  holds(query.account_id, (id) => row.account_id === id || row.destination_account_id === id) &&
  holds(query.status, (statuses) => statuses.includes(row.status)) &&
  holds(query.type, (types) => types.includes(row.type)) &&
  holds(query.settled_from, (at) => row.settled_at !== null && Date.parse(row.settled_at) >= Date.parse(at)) &&
  holds(query.settled_to, (at) => row.settled_at !== null && Date.parse(row.settled_at) < Date.parse(at)) &&
  holds(query.metadata, (wanted) => hasAll(row.metadata, wanted)) &&
  holds(query.customer_metadata, (wanted) => hasAll(row.customer?.metadata, wanted)) &&
  holds(query.customer_reference, (reference) => row.customer?.reference === reference) &&
  holds(query.customer_id, (id) => row.customer_id === id) &&
  holds(query.card_last4, (last4) => row.payment_method?.last4 === last4) &&
  holds(query.customer_credit, (isOfCredit) => (row.payment_method?.type === "customer_credit") === isOfCredit) &&
  holds(query.payment_id, (id) => row.payment_id === id) &&
  holds(query.parent_transaction_id, (id) => row.parent_transaction_id === id) &&
  holds(query.amount_min, (amount) => row.amount >= amount) &&
  holds(query.amount_max, (amount) => row.amount <= amount) &&
  holds(
    query.q,
    (q) =>
      row.transaction_id === q ||
      row.payment_id === q ||
      (!isId(q) && isFound(q, row, row.payment_method?.brand, row.payment_method?.last4)),
  );

const isId = (q: string): boolean => /^(txn|pay)_[0-9a-z]{26}$/.test(q);
