// Finds and writes stored cards, and the attempts to store one without money. Their payment request's row is locked first.
import { and, asc, eq, getTableColumns, gt, inArray, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { databaseNow } from "@/db/database-clock";
import { preparedOne, slot } from "@/db/prepared";
import { storedMethods, transactions } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import { limits } from "@/server/kit/limits";
import type { Attempt } from "../derive";

export type MethodRow = typeof storedMethods.$inferSelect;
type NewMethodRow = typeof storedMethods.$inferInsert;

const byId = preparedOne("stored_methods.by_id", (q: Reader) =>
  q
    .select({ method: storedMethods, databaseTime: databaseNow })
    .from(storedMethods)
    .where(eq(storedMethods.id, slot("id"))),
);

/** The stored card, or the attempt to store one, and the database's time when this was read; undefined for neither. */
export const findMethod = (q: Reader, id: string): Promise<{ method: MethodRow; databaseTime: number } | undefined> =>
  byId(q, { id });

/** The same without the time. */
export const readMethod = async (q: Reader, id: string): Promise<MethodRow | undefined> =>
  (await findMethod(q, id))?.method;

/** The attempt that was made with a pay form's one-time token. */
export async function methodByKey(q: Reader, attemptKey: string): Promise<MethodRow | undefined> {
  const [row] = await q.select().from(storedMethods).where(eq(storedMethods.attemptKey, attemptKey));
  return row;
}

/** What is the same in every attempt that moves no money. */
const nothing = {
  ...{ amount: 0, amountAuthorized: 0, amountCaptured: 0, amountReleased: 0, amountRefunded: 0, amountDisputed: 0 },
  ...{ usesCredit: false, amountCredited: 0, lateAt: null, captureBefore: null, captureRequested: null },
  paymentMethod: null,
  disputeStatus: "none" as const,
};

const attemptStatuses = {
  processing: "processing",
  requires_action: "requires_action",
  stored: "succeeded",
  failed: "failed",
} as const;

/** The attempts to store a card on the page of a payment request that begins a trial, oldest first. */
export const attemptsToStore = (q: Reader, paymentId: string): Promise<Attempt[]> =>
  attemptsWhere(q, onPageOf(paymentId));

/** The attempts to store a card with this card link of a subscription that the payment request began, oldest first. */
export const attemptsWithLink = (q: Reader, paymentId: string, cardLink: string): Promise<Attempt[]> =>
  attemptsWhere(q, withLink(paymentId, cardLink));

/** The cards that were entered on the page of the payment request itself. */
export const onPageOf = (paymentId: string): SQL | undefined =>
  and(eq(storedMethods.paymentId, paymentId), isNull(storedMethods.cardLink));

/** The cards that were entered with a card link of a subscription that the payment request began. */
export const withLink = (paymentId: string, cardLink: string): SQL | undefined =>
  and(eq(storedMethods.paymentId, paymentId), eq(storedMethods.cardLink, cardLink));

async function attemptsWhere(q: Reader, condition: SQL | undefined): Promise<Attempt[]> {
  const rows = await q
    .select()
    .from(storedMethods)
    .where(condition)
    .orderBy(asc(storedMethods.createdAt), asc(storedMethods.id));
  return rows.map(({ id, status, provider, attemptKey, failure, actionUrl, settledAt, createdAt }) => ({
    ...{ ...nothing, attemptKey },
    ...{ id, status: attemptStatuses[status], provider, failure, actionUrl, settledAt, effectiveAt: createdAt },
  }));
}

/** Inserts the row. An attempt may start at its provider for `startWithinMs` from now, by the database's clock. */
export async function insertMethod(tx: Tx, row: NewMethodRow, startWithinMs: number | null = null): Promise<MethodRow> {
  const startBefore = startWithinMs === null ? null : sql`${databaseNow} + ${startWithinMs}`;
  const [inserted] = await tx
    .insert(storedMethods)
    .values({ ...row, startBefore })
    .returning();
  if (!inserted) throw new Error(`The stored method ${row.id} was not written.`);
  return inserted;
}

/** Changes an attempt whose payment request is locked. */
export async function updateMethod(tx: Tx, id: string, change: Partial<NewMethodRow>): Promise<MethodRow> {
  const [row] = await tx.update(storedMethods).set(change).where(eq(storedMethods.id, id)).returning();
  if (!row) throw new Error(`The stored method ${id} is gone.`);
  return row;
}

/** Up to `limits.batch.erase.rows` cards of these customers that are stored at a provider, after the one with this id. */
export const storedOfCustomers = (q: Reader, customerIds: readonly string[], after: string): Promise<MethodRow[]> =>
  q
    .select()
    .from(storedMethods)
    .where(
      and(
        inArray(storedMethods.customerId, [...customerIds]),
        isNotNull(storedMethods.providerReference),
        gt(storedMethods.id, after),
      ),
    )
    .orderBy(asc(storedMethods.id))
    .limit(limits.batch.erase.rows);

/** The card that was stored last on the page of a payment request; undefined if none was. */
export async function storedOn(q: Reader, paymentId: string): Promise<MethodRow | undefined> {
  const rows = await q
    .select()
    .from(storedMethods)
    .where(and(onPageOf(paymentId), eq(storedMethods.status, "stored")))
    .orderBy(asc(storedMethods.createdAt), asc(storedMethods.id));
  return rows.at(-1);
}

type ChargeRow = typeof transactions.$inferSelect;

/** A charge that stored its card, and the row of that card; null if it has none yet. */
interface StoringCharge {
  charge: ChargeRow;
  method: MethodRow | null;
}

/** The payment request's charges that stored their cards, oldest first. */
export const storingChargesOf = (q: Reader, paymentId: string): Promise<StoringCharge[]> =>
  q
    .select({ charge: getTableColumns(transactions), method: getTableColumns(storedMethods) })
    .from(transactions)
    .leftJoin(storedMethods, eq(storedMethods.transactionId, transactions.id))
    .where(and(eq(transactions.paymentId, paymentId), isNotNull(transactions.storedMethod)))
    .orderBy(asc(transactions.createdAt), asc(transactions.id));

/** The cards that were stored without money on the page of the payment request, and are not forgotten yet. */
export const keptOnPageOf = (q: Reader, paymentId: string): Promise<MethodRow[]> =>
  q
    .select()
    .from(storedMethods)
    .where(
      and(
        onPageOf(paymentId),
        isNull(storedMethods.transactionId),
        isNotNull(unindexed(storedMethods.providerReference)),
      ),
    );

/** The other rows of the card: a provider may give a card that is stored twice the same reference. */
export const othersOfCard = (
  q: Reader,
  { id, provider, livemode, providerReference }: MethodRow,
): Promise<MethodRow[]> =>
  providerReference === null
    ? Promise.resolve([])
    : q
        .select()
        .from(storedMethods)
        .where(
          and(
            eq(storedMethods.providerReference, providerReference),
            eq(storedMethods.provider, provider),
            eq(storedMethods.livemode, livemode),
            ne(storedMethods.id, id),
          ),
        );

/** Whether a charge that has not ended has stored the card with this reference too, so that it may be kept. */
export async function isBeingStored(q: Reader, provider: string, reference: string): Promise<boolean> {
  const { storedMethod, settledAt } = transactions;
  const isOpen = and(eq(storedMethod, reference), isNull(settledAt), eq(transactions.provider, provider));
  return (await q.$count(transactions, isOpen)) > 0;
}

/** Gives the stored cards of customers to another one. */
export async function moveMethods(tx: Tx, from: string, to: string): Promise<void> {
  await tx
    .update(storedMethods)
    .set({ customerId: to })
    .where(inArray(storedMethods.customerId, [from]));
}

/** These stored cards, by id. */
export async function methodsById(q: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, MethodRow>> {
  if (ids.length === 0) return new Map();
  const rows = await q
    .select()
    .from(storedMethods)
    .where(inArray(storedMethods.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}
