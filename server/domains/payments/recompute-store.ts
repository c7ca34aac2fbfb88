// Reads payment requests in batches with the rows that determine them, to recompute those of earlier versions.
import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { payments, transactions } from "@/db/tables";
import { after, newestFirst, type Position } from "@/server/kit/page";
import type { PaymentPart } from "./derive";
import { type PaymentRow, partColumns } from "./store";

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
export async function partsOfMany(q: Reader, ids: readonly string[]): Promise<(paymentId: string) => PaymentPart[]> {
  const rows = await q
    .select({ paymentId: transactions.paymentId, ...partColumns })
    .from(transactions)
    .where(and(inArray(transactions.paymentId, [...ids]), eq(transactions.type, "payment")))
    .orderBy(asc(transactions.createdAt), asc(transactions.id));
  const byPayment = new Map<string | null, PaymentPart[]>();
  for (const { paymentId, ...part } of rows) byPayment.set(paymentId, [...(byPayment.get(paymentId) ?? []), part]);
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
