// Writes and removes the search words of payment requests, and reads the texts that have them.
import { inArray } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { payments, paymentWords } from "@/db/tables";
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

/** A payment request's texts that are searched. */
export type SearchedTexts = Pick<
  PaymentRow,
  "id" | "organizationId" | "reference" | "invoiceNumber" | "description" | "customer"
>;

const { id, organizationId, reference, invoiceNumber, description, customer } = payments;
const texts = { id, organizationId, reference, invoiceNumber, description, customer };

/** The texts of the payment requests, which cannot change until the transaction ends. */
export async function lockTexts(tx: Tx, ids: readonly string[]): Promise<SearchedTexts[]> {
  await lock(tx, payments, ids, "keep");
  return tx
    .select(texts)
    .from(payments)
    .where(inArray(id, [...ids]));
}
