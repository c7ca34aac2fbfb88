// Rows of payment requests and of what their transactions say about them.
import { and, asc, eq, gt, gte, inArray, isNotNull, lt, lte, not, or, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { prepared, slot } from "@/db/prepared";
import { expiringStatuses } from "@/db/schema/values";
import { accounts, organizations, payments, transactions } from "@/db/tables";
import type { Scope } from "@/server/kit/context";
import { after, newestFirst, type Position } from "@/server/kit/page";
import type { PaymentPart } from "./derive";
import type { PaymentStatus } from "./rules";
import type { PaymentQuery } from "./schema";

export type PaymentRow = typeof payments.$inferSelect;
export type NewPaymentRow = typeof payments.$inferInsert;

/** What the scope lets its holder see. */
function seen(q: Reader | Tx, scope: Scope): SQL | undefined {
  const own = scope.ownerUserId
    ? inArray(
        payments.accountId,
        q.select({ id: accounts.id }).from(accounts).where(eq(accounts.ownerUserId, scope.ownerUserId)),
      )
    : undefined;
  const bound = scope.accountId ? eq(payments.accountId, scope.accountId) : undefined;
  return and(eq(payments.organizationId, scope.organizationId), own, bound);
}

const findOne = prepared("payments.find", (q: Reader) =>
  q
    .select({ payment: payments, ownerUserId: accounts.ownerUserId })
    .from(payments)
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .where(and(eq(payments.id, slot("id")), eq(payments.organizationId, slot("organizationId")))),
);

/** The request, if the scope sees its account. */
export async function findPayment(q: Reader, scope: Scope, id: string): Promise<PaymentRow | undefined> {
  const [found] = await findOne(q, { id, organizationId: scope.organizationId });
  if (!found) return undefined;
  const isOwn = scope.ownerUserId === null || scope.ownerUserId === found.ownerUserId;
  const isBound = scope.accountId === null || scope.accountId === found.payment.accountId;
  return isOwn && isBound ? found.payment : undefined;
}

const byId = prepared("payments.by_id", (tx: Tx) =>
  tx
    .select()
    .from(payments)
    .where(eq(payments.id, slot("id"))),
);

/** The row as it stands once no other transaction can change it. */
export async function holdPayment(tx: Tx, id: string): Promise<PaymentRow | undefined> {
  await lock(tx, payments, [id]);
  const [row] = await byId(tx, { id });
  return row;
}

/** Who is paid through a link, beside the request. */
export interface LinkedPayment {
  payment: PaymentRow;
  account: typeof accounts.$inferSelect;
}

const findLinked = prepared("payments.by_link", (q: Reader) =>
  q
    .select({ payment: payments, account: accounts })
    .from(payments)
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .where(eq(payments.linkHash, slot("linkHash"))),
);

export async function findByLink(q: Reader, linkHash: string): Promise<LinkedPayment | undefined> {
  const [found] = await findLinked(q, { linkHash });
  return found;
}

/** Whether the organization moves real money. */
export async function isLive(q: Reader | Tx, organizationId: string): Promise<boolean> {
  const [row] = await q
    .select({ mode: organizations.mode })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  return row?.mode === "live";
}

/** Undefined if the account has used the reference before. */
export async function insertPayment(tx: Tx, row: NewPaymentRow): Promise<PaymentRow | undefined> {
  const [inserted] = await tx
    .insert(payments)
    .values(row)
    .onConflictDoNothing({ target: [payments.accountId, payments.reference] })
    .returning();
  return inserted;
}

export async function updatePayment(
  tx: Tx,
  id: string,
  change: Partial<NewPaymentRow>,
): Promise<PaymentRow | undefined> {
  const [row] = await tx.update(payments).set(change).where(eq(payments.id, id)).returning();
  return row;
}

const parts = prepared("payments.parts", (tx: Tx) =>
  tx
    .select({
      status: transactions.status,
      provider: transactions.provider,
      amountAuthorized: transactions.amountAuthorized,
      amountCaptured: transactions.amountCaptured,
      amountReleased: transactions.amountReleased,
      amountRefunded: transactions.amountRefunded,
      amountDisputed: transactions.amountDisputed,
      captureBefore: transactions.captureBefore,
      failure: transactions.failure,
      actionUrl: transactions.actionUrl,
      settledAt: transactions.settledAt,
    })
    .from(transactions)
    .where(and(eq(transactions.paymentId, slot("id")), eq(transactions.type, "payment")))
    .orderBy(asc(transactions.createdAt), asc(transactions.id)),
);

/** What the request's payments say about it, oldest first. */
export const partsOf = (tx: Tx, paymentId: string): Promise<PaymentPart[]> => parts(tx, { id: paymentId });

const idsOfOne = prepared("payments.transaction_ids", (q: Reader) =>
  q
    .select({ id: transactions.id })
    .from(transactions)
    .where(eq(transactions.paymentId, slot("id")))
    .orderBy(asc(transactions.createdAt), asc(transactions.id)),
);

/** The ids of all transactions of one request, oldest first. */
export async function transactionIdsOfOne(q: Reader, paymentId: string): Promise<string[]> {
  const rows = await idsOfOne(q, { id: paymentId });
  return rows.map((row) => row.id);
}

/** The ids of all transactions of each request, oldest first. */
export async function transactionIdsOf(
  q: Reader | Tx,
  paymentIds: readonly string[],
): Promise<(paymentId: string) => string[]> {
  if (paymentIds.length === 0) return () => [];
  const rows = await q
    .select({ id: transactions.id, paymentId: transactions.paymentId })
    .from(transactions)
    .where(inArray(transactions.paymentId, [...paymentIds]))
    .orderBy(asc(transactions.createdAt), asc(transactions.id));
  return (paymentId) => rows.filter((row) => row.paymentId === paymentId).map((row) => row.id);
}

type Filters = Omit<PaymentQuery, "limit" | "cursor" | "include_total"> & { customerEmailKey: string | undefined };

function matching(q: Reader, scope: Scope, filters: Filters, now: number): SQL | undefined {
  return and(
    seen(q, scope),
    filters.account_id !== undefined ? eq(payments.accountId, filters.account_id) : undefined,
    filters.status ? statusIn(filters.status, now) : undefined,
    filters.type ? inArray(payments.type, filters.type) : undefined,
    filters.currency !== undefined ? eq(payments.currency, filters.currency) : undefined,
    filters.reference !== undefined ? eq(payments.reference, filters.reference) : undefined,
    filters.customerEmailKey !== undefined ? eq(payments.customerEmailKey, filters.customerEmailKey) : undefined,
    filters.created_from !== undefined ? gte(payments.createdAt, filters.created_from) : undefined,
    filters.created_to !== undefined ? lt(payments.createdAt, filters.created_to) : undefined,
  );
}

const expiring: PaymentStatus[] = [...expiringStatuses];

/** The condition that a row has one of these statuses at `now`, as the pure rule `statusAt` says it of one row. */
function statusIn(statuses: readonly PaymentStatus[], now: number): SQL | undefined {
  const stored = inArray(payments.status, [...statuses]);
  const isPast = or(
    and(inArray(payments.status, expiring), isNotNull(payments.expiresAt), lte(payments.expiresAt, now)),
    and(eq(payments.status, "authorized"), isNotNull(payments.captureBefore), lte(payments.captureBefore, now)),
  );
  return statuses.includes("expired") ? or(stored, isPast) : and(stored, isPast && not(isPast));
}

/** One page of the requests that match, newest first. */
export const listPayments = (
  q: Reader,
  scope: Scope,
  filters: Filters,
  page: { after: Position | null; limit: number; now: number },
): Promise<PaymentRow[]> =>
  q
    .select()
    .from(payments)
    .where(and(matching(q, scope, filters, page.now), after(payments, page.after)))
    .orderBy(...newestFirst(payments))
    .limit(page.limit);

export const countPayments = (q: Reader, scope: Scope, filters: Filters, now: number): Promise<number> =>
  q.$count(payments, matching(q, scope, filters, now));

const unended: PaymentStatus[] = ["draft", "pending", "requires_action", "processing", "authorized", "partially_paid"];

/** The condition for what ends with an account: requests that are neither paid nor over, and holds that ran out of time. */
const endsWith = (accountId: string, now: number): SQL | undefined =>
  and(
    eq(payments.accountId, accountId),
    inArray(payments.status, unended),
    or(statusIn(unended, now), gt(payments.amountCapturable, 0)),
  );

/** The account's requests that are still open at `now`. */
export const openPayments = (tx: Tx, accountId: string, now: number): Promise<PaymentRow[]> =>
  tx.select().from(payments).where(endsWith(accountId, now)).orderBy(asc(payments.id));

export const countOpenPayments = (q: Reader, accountId: string, now: number): Promise<number> =>
  q.$count(payments, endsWith(accountId, now));

/** The request's payments of which something can still be given back, oldest first. */
export async function refundableTransactionIds(q: Reader | Tx, paymentId: string): Promise<string[]> {
  const { amountCaptured, amountRefunded, amountRefunding } = transactions;
  const rows = await q
    .select({ id: transactions.id })
    .from(transactions)
    .where(
      and(
        eq(transactions.paymentId, paymentId),
        eq(transactions.type, "payment"),
        gt(amountCaptured, sql`${amountRefunded} + ${amountRefunding}`),
      ),
    )
    .orderBy(asc(transactions.createdAt), asc(transactions.id));
  return rows.map((row) => row.id);
}

/** The request that a transaction counts towards, with who is paid. */
export async function findByTransaction(q: Reader | Tx, transactionId: string): Promise<LinkedPayment | undefined> {
  const [found] = await q
    .select({ payment: payments, account: accounts })
    .from(transactions)
    .innerJoin(payments, eq(payments.id, transactions.paymentId))
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .where(eq(transactions.id, transactionId));
  return found;
}
