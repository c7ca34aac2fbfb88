// Finds, locks and updates rows of payment requests, and reads the transactions that decide about them.
import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { isUniqueViolation, LostRace } from "@/db/errors";
import { lock } from "@/db/lock";
import { prepared, preparedOne, slot } from "@/db/prepared";
import { erasedSnapshot } from "@/db/schema/values";
import { accounts, customerCredits, payments, transactions } from "@/db/tables";
import { touchTransactionsOf } from "@/server/domains/transactions/record-store";
import type { Scope } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
import type { Attempt } from "./derive";
import { lockMany, lockOne, subscriptionsOf } from "./links/lock-store";
import { attemptsToStore } from "./methods/store";
import { subscriptions } from "./subscriptions";

export type PaymentRow = typeof payments.$inferSelect;
type NewPaymentRow = typeof payments.$inferInsert;

const findOne = prepared("payments.find", (q: Reader) =>
  q
    .select({ payment: payments, ownerUserId: accounts.ownerUserId })
    .from(payments)
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .where(and(eq(payments.id, slot("id")), eq(payments.organizationId, slot("organizationId")))),
);

/** The payment request, if the scope sees its account. */
export async function findPayment(q: Reader, scope: Scope, id: string): Promise<PaymentRow | undefined> {
  const [found] = await findOne(q, { id, organizationId: scope.organizationId });
  if (!found) return undefined;
  const isOwn = scope.ownerUserId === null || scope.ownerUserId === found.ownerUserId;
  const isBound = scope.accountId === null || scope.accountId === found.payment.accountId;
  return isOwn && isBound ? found.payment : undefined;
}

const byId = prepared("payments.by_id", (q: Reader) =>
  q
    .select()
    .from(payments)
    .where(eq(payments.id, slot("id"))),
);

/** The payment request, of any account. */
export const readPayment = async (q: Reader, id: string): Promise<PaymentRow | undefined> => (await byId(q, { id }))[0];

/** The organization's payment request, of any account. */
export async function findInOrganization(
  q: Reader,
  organizationId: string,
  id: string,
): Promise<PaymentRow | undefined> {
  const row = isId("pay", id) ? await readPayment(q, id) : undefined;
  return row?.organizationId === organizationId ? row : undefined;
}

/** Locks the row until the transaction ends, first that of its link and then its subscription, and reads it. */
export async function lockPayment(tx: Tx, id: string): Promise<PaymentRow | undefined> {
  await lockOne(tx, id);
  const row = await readPayment(tx, id);
  if (row) await lockSubscriptionOf(tx, row);
  return row;
}

/** Locks the subscription of a payment request that is locked. */
async function lockSubscriptionOf(tx: Tx, { subscriptionId }: PaymentRow): Promise<void> {
  if (subscriptionId !== null) await subscriptions().lock(tx, [subscriptionId]);
}

/**
 * Locks the rows in id order, and then their subscriptions. A caller that changes several locks them before any other
 * write, such as of jobs.
 */
export async function lockPayments(tx: Tx, ids: readonly string[]): Promise<void> {
  await lockMany(tx, ids);
  await subscriptions().lock(tx, await subscriptionsOf(tx, ids));
}

/** A payment request, and the account that it pays. */
export interface LinkedPayment {
  payment: PaymentRow;
  account: typeof accounts.$inferSelect;
}

const findLinked = preparedOne("payments.by_link", (q: Reader) =>
  q
    .select({ payment: payments, account: accounts })
    .from(payments)
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .where(eq(payments.linkHash, slot("linkHash"))),
);

/** The payment request behind the link with this token hash; undefined for an unknown link, and for none. */
export const findByLink = (q: Reader, linkHash: string | null): Promise<LinkedPayment | undefined> =>
  findLinked(q, { linkHash });

/** Locks what {@link findByLink} has found, until the transaction ends, and resolves to how it is then. */
export async function lockLinked(tx: Tx, { account, payment }: LinkedPayment): Promise<LinkedPayment | undefined> {
  await lock(tx, accounts, [account.id], "keep");
  await lockOne(tx, payment.id);
  const linked = await findByLink(tx, payment.linkHash);
  if (linked) await lockSubscriptionOf(tx, linked.payment);
  return linked;
}

/** Inserts the row; undefined if the account has used the reference before. */
export async function insertPayment(tx: Tx, row: NewPaymentRow): Promise<PaymentRow | undefined> {
  const [inserted] = await tx
    .insert(payments)
    .values(row)
    .onConflictDoNothing({ target: [payments.accountId, payments.reference] })
    .returning();
  return inserted;
}

/** Whether a payment request of the same account has the reference. */
export const hasReference = async (
  q: Reader,
  { accountId }: Pick<PaymentRow, "accountId">,
  reference: string | null,
): Promise<boolean> =>
  reference !== null &&
  (await q.$count(payments, and(eq(payments.accountId, accountId), eq(payments.reference, reference)))) > 0;

/**
 * Changes a payment request that the caller has locked; undefined if it does not exist. The transaction runs again if
 * another takes the reference meanwhile.
 */
export async function updatePayment(
  tx: Tx,
  id: string,
  change: Partial<NewPaymentRow>,
): Promise<PaymentRow | undefined> {
  const [row] = await tx
    .update(payments)
    .set(change)
    .where(eq(payments.id, id))
    .returning()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new LostRace(error) : error;
    });
  // Transactions show the customer of their payment request.
  if (change.customerId !== undefined) await touchTransactionsOf(tx, [id]);
  return row;
}

/** Erases the snapshots of payment requests that are locked. Uses of links without a customer become the erased one's. */
export async function eraseSnapshots(tx: Tx, ids: readonly string[], customerId: string): Promise<void> {
  const { customerId: own, parentPaymentId } = payments;
  const owner = sql`case when ${parentPaymentId} is null then ${own} else coalesce(${own}, ${customerId}) end`;
  await tx
    .update(payments)
    .set({ customer: erasedSnapshot, customerEmailKey: null, payerKey: null, customerId: owner })
    .where(and(inArray(payments.id, [...ids]), isNotNull(payments.customer)));
  await touchTransactionsOf(tx, ids);
}

interface Move {
  /** Ids of customers. */
  from: string;
  to: string;
  limit: number;
}

/** Gives up to `limit` payment requests of a customer to another; returns how many. Their snapshots stay. */
export async function movePayments(tx: Tx, { from, to, limit }: Move): Promise<number> {
  const rows = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(eq(payments.customerId, from))
    .orderBy(asc(payments.id))
    .limit(limit);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await lock(tx, payments, ids);
  await tx
    .update(payments)
    .set({ customerId: to })
    .where(and(inArray(payments.id, ids), eq(payments.customerId, from)));
  await touchTransactionsOf(tx, ids);
  return ids.length;
}

/** The columns of an attempt, joined with its credit, that decide about its payment request. */
export const attemptColumns = {
  id: transactions.id,
  status: transactions.status,
  provider: transactions.provider,
  attemptKey: transactions.attemptKey,
  amount: transactions.amount,
  amountAuthorized: transactions.amountAuthorized,
  amountCaptured: transactions.amountCaptured,
  amountReleased: transactions.amountReleased,
  amountRefunded: transactions.amountRefunded,
  amountDisputed: transactions.amountDisputed,
  disputeStatus: transactions.disputeStatus,
  usesCredit: transactions.usesCredit,
  amountCredited: sql`coalesce(${customerCredits.amount}, 0)`.mapWith(Number),
  captureBefore: transactions.captureBefore,
  captureRequested: transactions.captureRequested,
  failure: transactions.failure,
  actionUrl: transactions.actionUrl,
  settledAt: transactions.settledAt,
  effectiveAt: transactions.effectiveAt,
  paymentMethod: transactions.paymentMethod,
  lateAt: transactions.lateAt,
};

const attempts = prepared("payments.attempts", (q: Reader) =>
  q
    .select(attemptColumns)
    .from(transactions)
    .leftJoin(customerCredits, eq(customerCredits.id, transactions.id))
    .where(and(eq(transactions.paymentId, slot("id")), eq(transactions.type, "payment")))
    // The order of the index by payment request; the organization is the same for all rows.
    .orderBy(asc(transactions.organizationId), asc(transactions.createdAt), asc(transactions.id)),
);

/** The payment request's attempts, oldest first: to pay it or, at the begin of a trial, to store a card. */
export const attemptsOf = (q: Reader, { id, isTrial }: Pick<PaymentRow, "id" | "isTrial">): Promise<Attempt[]> =>
  isTrial ? attemptsToStore(q, id) : attempts(q, { id });

/** The columns of a payment request that decide whether its presented status may have changed. */
export type StatusSnapshot = Pick<PaymentRow, "id" | "status" | "updatedAt" | "expiresAt" | "captureBefore">;

/** The snapshots of those of the payment requests that exist, in any order. */
export const findStatusSnapshots = (q: Reader, ids: readonly string[]): Promise<StatusSnapshot[]> =>
  q
    .select({
      id: payments.id,
      status: payments.status,
      updatedAt: payments.updatedAt,
      expiresAt: payments.expiresAt,
      captureBefore: payments.captureBefore,
    })
    .from(payments)
    .where(inArray(payments.id, [...ids]));

const idsOfOne = prepared("payments.transaction_ids", (q: Reader) =>
  q
    .select({ id: transactions.id })
    .from(transactions)
    .where(eq(transactions.paymentId, slot("id")))
    .orderBy(asc(transactions.createdAt), asc(transactions.id)),
);

/** The ids of all transactions of a payment request, oldest first. */
export async function transactionIdsOfOne(q: Reader, paymentId: string): Promise<string[]> {
  const rows = await idsOfOne(q, { id: paymentId });
  return rows.map((row) => row.id);
}
