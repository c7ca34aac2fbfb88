// Finds and locks rows of transactions.
import { and, eq, gt, inArray, max, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Reader, Tx } from "@/db/client";
import { databaseNow } from "@/db/database-clock";
import { lock } from "@/db/lock";
import { prepared, preparedOne, slot } from "@/db/prepared";
import { accounts, transactions } from "@/db/tables";
import type { Scope } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
import { paymentRequests } from "./payment-requests";
import type { TransactionRow } from "./present";

const destinations = alias(accounts, "destinations");

const findById = preparedOne("transactions_find", (q: Reader) =>
  q
    .select()
    .from(transactions)
    .where(and(eq(transactions.id, slot("id")), eq(transactions.organizationId, slot("organizationId")))),
);

const ownersById = preparedOne("transactions_owners", (q: Reader) =>
  q
    .select({ source: accounts.ownerUserId, destination: destinations.ownerUserId })
    .from(transactions)
    .innerJoin(accounts, eq(accounts.id, transactions.accountId))
    .leftJoin(destinations, eq(destinations.id, transactions.destinationAccountId))
    .where(eq(transactions.id, slot("id"))),
);

/** A transaction that the caller sees. `isOwn` is false for a transfer that is seen only from its destination. */
interface Seen {
  row: TransactionRow;
  isOwn: boolean;
}

/** The transaction, if the scope sees its account or its destination. */
export async function findTransaction(q: Reader, scope: Scope, id: string): Promise<Seen | undefined> {
  if (!isId("txn", id)) return undefined;
  const row = await findById(q, { id, organizationId: scope.organizationId });
  if (!row) return undefined;
  const [source, destination] = await visibilityOf(q, scope, row);
  return source || destination ? { row, isOwn: source } : undefined;
}

async function visibilityOf(
  q: Reader,
  scope: Scope,
  row: TransactionRow,
): Promise<[source: boolean, destination: boolean]> {
  const { accountId, ownerUserId } = scope;
  if (accountId !== null) return [row.accountId === accountId, row.destinationAccountId === accountId];
  if (ownerUserId === null) return [true, true];
  const owners = await ownersById(q, { id: row.id });
  return [owners?.source === ownerUserId, owners?.destination === ownerUserId];
}

const findRow = preparedOne("transactions_row", (q: Reader) =>
  q
    .select()
    .from(transactions)
    .where(eq(transactions.id, slot("id"))),
);

/** The row, of any organization. */
export const readTransaction = (q: Reader, id: string): Promise<TransactionRow | undefined> => findRow(q, { id });

/** Locks the payment request's row, then the rows of these transactions: the lock order of all writers. */
export async function lockTransactions(tx: Tx, paymentId: string | null, ids: readonly string[]): Promise<void> {
  if (paymentId !== null) await paymentRequests().lock(tx, paymentId);
  await lock(tx, transactions, ids);
}

const lastArrival = preparedOne("transactions_last_arrival", (q: Reader) =>
  q
    .select({ at: max(transactions.settledAt) })
    .from(transactions)
    .where(
      and(eq(transactions.paymentId, slot("id")), eq(transactions.type, "payment"), gt(transactions.amountCaptured, 0)),
    ),
);

/**
 * When money that arrives now counts as received: after all other money of its payment request, which the caller has
 * locked. Another transaction may have begun later, and got the lock first.
 */
export async function arrivalAt(q: Reader, paymentId: string | null, now: number): Promise<number> {
  const last = paymentId === null ? undefined : await lastArrival(q, { id: paymentId });
  return Math.max(now, (last?.at ?? -1) + 1);
}

/** A transaction to look up at its provider. */
export interface LookupTarget {
  transaction: TransactionRow;
  /** For a refund: the provider's reference of the charge that it refunds. */
  chargeReference: string | null;
  /** The database's time when this was read. Epoch ms. */
  databaseTime: number;
}

const parents = alias(transactions, "parents");

const lookupTarget = preparedOne("transactions_lookup_target", (q: Reader) => {
  const { providerReference } = parents;
  // Not a join, whose rows could not be read by a prepared query.
  const parent = q.select({ providerReference }).from(parents).where(eq(parents.id, transactions.parentTransactionId));
  return q
    .select({ transaction: transactions, chargeReference: sql<string | null>`(${parent})`, databaseTime: databaseNow })
    .from(transactions)
    .where(eq(transactions.id, slot("id")));
});

/** What a look-up needs to know of the transaction; undefined if it does not exist. */
export const findLookupTarget = (q: Reader, transactionId: string): Promise<LookupTarget | undefined> =>
  lookupTarget(q, { id: transactionId });

const findReference = prepared("transactions_provider_reference", (q: Reader) =>
  q
    .select({ id: transactions.id })
    .from(transactions)
    .where(
      and(
        eq(transactions.provider, slot("provider")),
        eq(transactions.providerReference, slot("providerReference")),
        eq(transactions.type, slot("type")),
        ne(transactions.id, slot("id")),
      ),
    ),
);

/** Whether another transaction of the type has this charge or refund of the provider. */
export async function isReferenceTaken(q: Reader, row: TransactionRow, providerReference: string): Promise<boolean> {
  const { id, provider, type } = row;
  return (await findReference(q, { id, provider, type, providerReference })).length > 0;
}

const findStatus = preparedOne("transactions_account_status", (q: Reader) =>
  q
    .select({ status: accounts.status })
    .from(accounts)
    .where(eq(accounts.id, slot("id"))),
);

/**
 * Whether the account is closed. Times are not compared: an act that a sandbox clock makes due may have an instant
 * before the closing, and is carried out after it.
 */
export const isClosed = async (q: Reader, id: string): Promise<boolean> =>
  (await findStatus(q, { id }))?.status === "closed";

/** A transaction's texts that are searched. */
export type SearchedTexts = Pick<
  TransactionRow,
  "id" | "organizationId" | "reference" | "description" | "customer" | "paymentMethod"
>;

const texts = {
  id: transactions.id,
  organizationId: transactions.organizationId,
  reference: transactions.reference,
  description: transactions.description,
  customer: transactions.customer,
  paymentMethod: transactions.paymentMethod,
};

/** The texts of the transactions, which cannot change until the database transaction ends. */
export async function lockTexts(tx: Tx, ids: readonly string[]): Promise<SearchedTexts[]> {
  await lock(tx, transactions, ids, "keep");
  return tx
    .select(texts)
    .from(transactions)
    .where(inArray(transactions.id, [...ids]));
}
