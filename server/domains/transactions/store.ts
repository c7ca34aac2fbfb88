// Rows of transactions: finding, holding and changing them.
import { and, eq, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Reader, Tx } from "@/db/client";
import { isUniqueViolation, LostRace } from "@/db/errors";
import { lock } from "@/db/lock";
import { prepared, preparedOne, slot } from "@/db/prepared";
import { accounts, organizations, payments, transactions } from "@/db/tables";
import type { Scope } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
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

/** A transaction in sight, and whether it is seen as its account's own or only from a transfer's destination. */
export interface Seen {
  row: TransactionRow;
  isOwn: boolean;
}

/** The transaction, if the scope sees its account or its destination. */
export async function findTransaction(q: Reader, scope: Scope, id: string): Promise<Seen | undefined> {
  if (!isId("txn", id)) return undefined;
  const row = await findById(q, { id, organizationId: scope.organizationId });
  if (!row) return undefined;
  const [source, destination] = await sightOf(q, scope, row);
  return source || destination ? { row, isOwn: source } : undefined;
}

async function sightOf(q: Reader, scope: Scope, row: TransactionRow): Promise<[source: boolean, destination: boolean]> {
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

/** The row, of any owner. */
export const readTransaction = (q: Reader, id: string): Promise<TransactionRow | undefined> => findRow(q, { id });

/** Holds a payment request, then these transactions, until the transaction ends: the order that all writers keep. */
export async function hold(tx: Tx, paymentId: string | null, transactionIds: readonly string[]): Promise<void> {
  if (paymentId !== null) await lock(tx, payments, [paymentId]);
  await lock(tx, transactions, transactionIds);
}

/** Changes a row that the caller holds. The status is checked again, so that a state is never left twice. */
export async function updateRow(
  tx: Tx,
  row: TransactionRow,
  patch: Partial<TransactionRow>,
  now: number,
): Promise<TransactionRow> {
  const [updated] = await tx
    .update(transactions)
    .set({ ...patch, updatedAt: now })
    .where(and(eq(transactions.id, row.id), eq(transactions.status, row.status)))
    .returning()
    .catch((error: unknown) => {
      // Another transaction has just taken the provider's reference: run again, it is seen before it is written.
      throw isUniqueViolation(error) ? new LostRace(error) : error;
    });
  if (!updated) throw new Error(`The transaction ${row.id} changed although it was held.`);
  return updated;
}

/** Sets `amount` minor units of a payment aside for a refund, unless so much is not left; the row as it then stands. */
export async function reserveRefund(tx: Tx, id: string, amount: number): Promise<TransactionRow | undefined> {
  const { amountCaptured, amountRefunded, amountRefunding, amountDisputed } = transactions;
  const [row] = await tx
    .update(transactions)
    .set({ amountRefunding: sql`${amountRefunding} + ${amount}` })
    .where(
      and(
        eq(transactions.id, id),
        sql`${amountCaptured} - ${amountRefunded} - ${amountRefunding} - ${amountDisputed} >= ${amount}`,
      ),
    )
    .returning();
  return row;
}

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

/** Whether another transaction of the type stands for the same charge or refund at the provider. */
export async function isReferenceTaken(q: Reader, row: TransactionRow, providerReference: string): Promise<boolean> {
  const { id, provider, type } = row;
  return (await findReference(q, { id, provider, type, providerReference })).length > 0;
}

const findClosing = preparedOne("transactions_account_closing", (q: Reader) =>
  q
    .select({ closedAt: accounts.closedAt })
    .from(accounts)
    .where(eq(accounts.id, slot("id"))),
);

/** Whether the account was closed before `now`; the closing itself is not late. */
export async function wasClosed(q: Reader, id: string, now: number): Promise<boolean> {
  const closedAt = (await findClosing(q, { id }))?.closedAt ?? null;
  return closedAt !== null && closedAt < now;
}

const findOrganization = preparedOne("transactions_organization", (q: Reader) =>
  q
    .select({ mode: organizations.mode, membersRecordPayments: organizations.membersRecordPayments })
    .from(organizations)
    .where(eq(organizations.id, slot("id"))),
);

/** What an organization allows, and whether its money is real. */
export async function readOrganization(q: Reader, id: string) {
  const row = await findOrganization(q, { id });
  if (!row) throw new Error(`No organization has the id ${id}.`);
  return { isLive: row.mode === "live", membersRecordPayments: row.membersRecordPayments };
}

const findRequest = preparedOne("transactions_payment_request", (tx: Tx) =>
  tx
    .select()
    .from(payments)
    .where(and(eq(payments.id, slot("id")), eq(payments.organizationId, slot("organizationId")))),
);

/** The organization's payment request. */
export async function findPaymentRequest(tx: Tx, organizationId: string, id: string) {
  if (!isId("pay", id)) return undefined;
  return findRequest(tx, { id, organizationId });
}
