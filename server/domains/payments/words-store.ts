// The rows by which payment requests are found by their words.
import { and, eq, exists, isNotNull, not, or, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { payments, paymentWords } from "@/db/tables";
import { after, newestFirst, type Position } from "@/server/kit/page";
import type { PaymentRow } from "./store";

/** Writes down by which words a request is found. */
export async function insertWords(tx: Tx, row: PaymentRow, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  const { id: paymentId, organizationId } = row;
  await tx
    .insert(paymentWords)
    .values(words.map((word) => ({ paymentId, organizationId, word })))
    .onConflictDoNothing();
}

/** Requests of the organization after `position` that have texts, of which no word is written down; the newest first. */
export async function findWithoutWords(
  q: Reader,
  organizationId: string,
  position: Position | null,
  limit: number,
): Promise<PaymentRow[]> {
  const { reference, description, customer } = payments;
  const words = q.select({ one: sql`1` }).from(paymentWords).where(eq(paymentWords.paymentId, payments.id));
  return q
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.organizationId, organizationId),
        or(isNotNull(reference), isNotNull(description), isNotNull(customer)),
        not(exists(words)),
        after(payments, position),
      ),
    )
    .orderBy(...newestFirst(payments))
    .limit(limit);
}
