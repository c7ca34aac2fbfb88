// Reads the transactions on a receipt: captured payments and succeeded refunds.
import { and, asc, eq, gt, or } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { prepared, slot } from "@/db/prepared";
import { transactions } from "@/db/tables";

export type MovementRow = Awaited<ReturnType<typeof movementsOf>>[number];

const movements = prepared("payments.movements", (q: Reader) =>
  q
    .select({
      id: transactions.id,
      type: transactions.type,
      amount: transactions.amount,
      amountCaptured: transactions.amountCaptured,
      paymentMethod: transactions.paymentMethod,
      effectiveAt: transactions.effectiveAt,
      settledAt: transactions.settledAt,
      provider: transactions.provider,
      usesCredit: transactions.usesCredit,
    })
    .from(transactions)
    .where(
      and(
        eq(transactions.paymentId, slot("id")),
        or(
          and(eq(transactions.type, "payment"), gt(transactions.amountCaptured, 0)),
          and(eq(transactions.type, "refund"), eq(transactions.status, "succeeded")),
        ),
      ),
    )
    // The order of the index by payment request; the organization is the same for all rows.
    .orderBy(asc(transactions.organizationId), asc(transactions.createdAt), asc(transactions.id))
    .limit(slot("limit")),
);

/** Captured payments and succeeded refunds of the payment request, oldest first. */
export const movementsOf = (q: Reader, paymentId: string, limit: number) => movements(q, { id: paymentId, limit });
