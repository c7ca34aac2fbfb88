// Reads batches of payment requests and their transactions, to recompute what earlier versions stored.
import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { customerCredits, payments, transactions } from "@/db/tables";
import { after, newestFirst, type Position } from "@/server/kit/page";
import type { Attempt } from "./derive";
import { attemptColumns, type PaymentRow } from "./store";

/** The organization's payment requests after `position`, newest first. */
export const batchOf = (
  q: Reader,
  organizationId: string,
  position: Position | null,
  limit: number,
): Promise<PaymentRow[]> =>
  q
    .select()
    .from(payments)
    .where(and(eq(payments.organizationId, organizationId), after(payments, position)))
    .orderBy(...newestFirst(payments))
    .limit(limit);

/** The attempts of each payment request, oldest first. */
export async function attemptsOfMany(q: Reader, ids: readonly string[]): Promise<(paymentId: string) => Attempt[]> {
  const rows = await q
    .select({ paymentId: transactions.paymentId, ...attemptColumns })
    .from(transactions)
    .leftJoin(customerCredits, eq(customerCredits.id, transactions.id))
    .where(and(inArray(transactions.paymentId, [...ids]), eq(transactions.type, "payment")))
    .orderBy(asc(transactions.createdAt), asc(transactions.id));
  const byPayment = new Map<string | null, Attempt[]>();
  for (const { paymentId, ...attempt } of rows)
    byPayment.set(paymentId, [...(byPayment.get(paymentId) ?? []), attempt]);
  return (paymentId) => byPayment.get(paymentId) ?? [];
}

/** The ids, among these, of payment requests with refunds whose share of the surplus is not yet decided. */
export async function withUndecidedRefunds(q: Reader, ids: readonly string[]): Promise<Set<string | null>> {
  const rows = await q
    .selectDistinct({ id: transactions.paymentId })
    .from(transactions)
    .where(
      and(
        inArray(transactions.paymentId, [...ids]),
        eq(transactions.type, "refund"),
        isNull(transactions.amountSurplus),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}
