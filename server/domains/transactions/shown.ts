// Transactions in a response, with what other records say about them.
import type { Reader, Tx } from "@/db/client";
import { findCredits } from "@/server/domains/customers/credit-store";
import { survivorsOf } from "@/server/domains/customers/survivor-store";
import { paymentRequests } from "./payment-requests";
import { fromAnywhere, type Perspective, present, type ShownRow } from "./present";
import type { Transaction } from "./schema";

interface View {
  db: Reader | Tx;
  /** Epoch ms. */
  now: number;
}

/** Reads the customers and the credit of the transactions, and presents them in the same order. */
export async function shownTransactions(
  { db, now }: View,
  rows: readonly ShownRow[],
  perspective: Perspective = fromAnywhere,
): Promise<Transaction[]> {
  const requests = rows.flatMap(({ paymentId }) => paymentId ?? []);
  const addressees = await paymentRequests().customersOf(db, [...new Set(requests)]);
  const survivors = await survivorsOf(db, [...new Set(rows.flatMap(({ customerId }) => customerId ?? []))]);
  // Only the surplus of money that was recorded for a payment request can have become credit.
  const sources = rows.filter(({ type, provider, paymentId }) => type === "payment" && provider === null && paymentId);
  const credits = await findCredits(
    db,
    sources.map(({ id }) => id),
  );
  return rows.map((row) => {
    const related = {
      customerId: addressees.get(row.paymentId ?? "") ?? survivors.get(row.customerId ?? "") ?? null,
      credit: credits.get(row.id) ?? null,
    };
    return present(row, related, perspective, now);
  });
}

/** Like {@link shownTransactions}, for one. */
export async function shownTransaction(view: View, row: ShownRow, perspective?: Perspective): Promise<Transaction> {
  const [shown] = await shownTransactions(view, [row], perspective);
  if (!shown) throw new Error("A transaction was presented as none.");
  return shown;
}
