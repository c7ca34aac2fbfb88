// Finds the transactions that an event of the sandbox is about.
import { and, desc, eq, gt, inArray } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { transactions } from "@/db/tables";
import { readTransaction } from "@/server/domains/transactions/store";
import { newestFirst } from "@/server/kit/page";

type TransactionRow = typeof transactions.$inferSelect;

const isAtSandbox = (paymentId: string) =>
  and(eq(transactions.paymentId, paymentId), eq(transactions.provider, "sandbox"));

/** The payment request's latest attempt in progress or authorized; undefined if there is none. */
export async function openAttempt(q: Reader, paymentId: string): Promise<TransactionRow | undefined> {
  const open = ["processing", "requires_action", "authorized"] as const;
  const [row] = await q
    .select()
    .from(transactions)
    .where(and(isAtSandbox(paymentId), eq(transactions.type, "payment"), inArray(transactions.status, [...open])))
    .orderBy(...newestFirst(transactions))
    .limit(1);
  return row;
}

export type DisputedPayment = Extract<TransactionRow["disputeStatus"], "none" | "open">;

/** The payment request's latest payment with money whose dispute has this status; undefined if there is none. */
export async function paidAtSandbox(
  q: Reader,
  paymentId: string,
  status: DisputedPayment,
): Promise<TransactionRow | undefined> {
  const isPaid = and(eq(transactions.type, "payment"), gt(transactions.amountCaptured, 0));
  const [row] = await q
    .select()
    .from(transactions)
    .where(and(isAtSandbox(paymentId), isPaid, eq(transactions.disputeStatus, status)))
    .orderBy(...newestFirst(transactions))
    .limit(1);
  return row;
}

/** A refund that can still fail, and its charge's reference. */
export interface Refund {
  refund: TransactionRow;
  chargeReference: string;
}

/** The payment request's latest refund that has not failed, a pending one first; undefined if there is none. */
export async function standingRefund(q: Reader, paymentId: string): Promise<Refund | undefined> {
  const standing = ["pending", "succeeded"] as const;
  const [refund] = await q
    .select()
    .from(transactions)
    .where(and(isAtSandbox(paymentId), eq(transactions.type, "refund"), inArray(transactions.status, [...standing])))
    // By name, `pending` comes first.
    .orderBy(transactions.status, desc(transactions.createdAt), desc(transactions.id))
    .limit(1);
  const parent = refund && (await readTransaction(q, refund.parentTransactionId ?? ""));
  return refund && parent?.providerReference ? { refund, chargeReference: parent.providerReference } : undefined;
}
