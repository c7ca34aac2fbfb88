// Which status may follow which, a second time, for tests.
import type { PaymentStatus } from "@/server/domains/payments/rules";
import type { TransactionRow } from "@/server/domains/transactions/present";
import type { TransactionStatus } from "@/server/domains/transactions/rules";

/** Statuses that a payment request waits in: what follows an attempt that ended without money. */
const waiting: PaymentStatus[] = ["pending", "partially_paid", "partially_refunded", "refunded", "failed"];
const attempted: PaymentStatus[] = ["requires_action", "processing", "authorized"];
const ended: PaymentStatus[] = ["canceled", "expired"];

/** The status after each status. Stricter than the product's table, which also allows for corrections of a clock. */
const after: Partial<Record<PaymentStatus, PaymentStatus[]>> = {
  draft: ["pending", "canceled"],
  // After a lost dispute it can be due again as if nothing had been paid.
  pending: [...attempted, "partially_paid", "paid", "partially_refunded", "disputed", ...ended],
  requires_action: ["processing", "authorized", "paid", "disputed", ...waiting, ...ended],
  processing: ["requires_action", "authorized", "paid", "disputed", ...waiting, ...ended],
  authorized: ["paid", "disputed", ...waiting, "canceled", "expired"],
  partially_paid: [...attempted, "failed", "paid", "partially_refunded", "refunded", "disputed", ...ended],
  paid: ["partially_refunded", "refunded", "disputed"],
  partially_refunded: [...attempted, "failed", "pending", "paid", "partially_paid", "refunded", "disputed", ...ended],
  refunded: [...attempted, "failed", "pending", "paid", "partially_paid", "partially_refunded", "disputed", ...ended],
  disputed: [...attempted, "failed", "pending", "paid", "partially_paid", "partially_refunded", "refunded", ...ended],
  // The page takes no card, but money that comes otherwise counts, and a stored card is charged.
  failed: ["processing", "authorized", "paid", "disputed", ...waiting, ...ended],
  // Money that arrives after the end counts, and what a payer confirmed before it continues.
  canceled: ["paid", "partially_refunded"],
  expired: ["processing", "authorized", "paid", "partially_refunded", "disputed", "canceled"],
};

/** The statuses that an expired payment request returns to if it is extended, or was expired by a wrong clock. */
const reopened: PaymentStatus[] = [...waiting, "requires_action"];

export const mayBecome = (from: PaymentStatus, to: PaymentStatus): boolean => after[from]?.includes(to) ?? false;

export const mayReopen = (from: PaymentStatus, to: PaymentStatus): boolean =>
  from === "expired" && reopened.includes(to);

const moneyTaken: TransactionStatus[] = ["succeeded", "partially_refunded", "refunded"];

/** The statuses that a transaction announces by an event, by the previous one announced. Others have no event. */
const announcedAfter: Record<TransactionRow["type"], Partial<Record<TransactionStatus, TransactionStatus[]>>> = {
  payment: {
    processing: ["succeeded", "failed", "canceled", "expired"],
    // The provider took the money after all, or a charge that was given up was held and is then released.
    failed: ["succeeded", "canceled", "expired"],
    canceled: ["succeeded"],
    expired: ["succeeded"],
    succeeded: ["disputed"],
    disputed: [...moneyTaken, "charged_back"],
  },
  refund: { pending: ["succeeded", "failed"], succeeded: ["failed"] },
  credit: {},
  transfer: {},
  adjustment: {},
};

/** Whether a transaction that announced the status `from` may announce `to`. */
export const mayAnnounce = (type: TransactionRow["type"], from: TransactionStatus, to: TransactionStatus): boolean =>
  announcedAfter[type][from]?.includes(to) ?? false;

/** The status of a payment whose money was taken, from its amounts. */
export function takenStatus({ amountCaptured, amountRefunded, disputeStatus }: TransactionRow): TransactionStatus {
  if (disputeStatus === "open") return "disputed";
  if (disputeStatus === "lost") return "charged_back";
  const [whole, part, all] = moneyTaken;
  const status = amountRefunded === 0 ? whole : amountRefunded < amountCaptured ? part : all;
  return status ?? "succeeded";
}
