// Writes the search words of payment requests, and finds payment requests without any.
import { and, asc, eq, exists, gt, inArray, isNotNull, not, or, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { payments, paymentWords } from "@/db/tables";
import { after, newestFirst, type Position } from "@/server/kit/page";
import type { PaymentRow } from "./store";

/** Inserts the search words of a payment request that it does not have yet. */
export async function insertWords(
  tx: Tx,
  row: Pick<PaymentRow, "id" | "organizationId">,
  words: readonly string[],
): Promise<void> {
  if (words.length === 0) return;
  const { id: paymentId, organizationId } = row;
  await tx
    .insert(paymentWords)
    .values(words.map((word) => ({ paymentId, organizationId, word })))
    .onConflictDoNothing();
}

/** Removes the search words of payment requests. */
export const deleteWords = async (tx: Tx, ids: readonly string[]): Promise<void> =>
  void (await tx.delete(paymentWords).where(inArray(paymentWords.paymentId, [...ids])));

/** The organization's payment requests after `position` that have texts but no search words, newest first. */
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

/** A payment request's texts that are searched. */
export type SearchedTexts = Pick<
  PaymentRow,
  "id" | "organizationId" | "reference" | "invoiceNumber" | "description" | "customer"
>;

const { id, organizationId, reference, invoiceNumber, description, customer } = payments;
const texts = { id, organizationId, reference, invoiceNumber, description, customer };

/** The texts of payment requests of all organizations after an id, in id order. */
export const findTextsAfter = (q: Reader, afterId: string, limit: number): Promise<SearchedTexts[]> =>
  q.select(texts).from(payments).where(gt(id, afterId)).orderBy(asc(id)).limit(limit);

/** The texts of the payment requests, which cannot change until the transaction ends. */
export async function lockTexts(tx: Tx, ids: readonly string[]): Promise<SearchedTexts[]> {
  await lock(tx, payments, ids, "keep");
  return tx
    .select(texts)
    .from(payments)
    .where(inArray(id, [...ids]));
}
