// Reads ledger entries in the order in which they were booked. The organization's walk and an account's walk each follow
// an index of postings; the entries of a few transactions are found by their journals.
import { and, asc, eq, gte, inArray, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { preparedByShape, type Slots } from "@/db/shapes";
import { journals, ledgerAccounts, organizations, payments, postings, transactions } from "@/db/tables";

/** The position of an entry in the list. Where two ledger accounts have the same number, their ids decide. */
export interface EntryPosition {
  /** Epoch milliseconds. */
  bookedAt: number;
  sequence: number;
  ledgerAccountId: string;
}

/** Whose entries, and from when to when (epoch milliseconds). */
export interface Walk {
  organizationId: string;
  /** Undefined for the whole organization. */
  accountId?: string | undefined;
  from: number;
  to: number;
  transactionId?: string | undefined;
  paymentId?: string | undefined;
}

const columns = {
  bookedAt: postings.bookedAt,
  sequence: postings.sequence,
  ledgerAccountId: postings.ledgerAccountId,
  accountId: postings.accountId,
  kind: postings.kind,
  currency: postings.currency,
  side: postings.side,
  normalSide: ledgerAccounts.normalSide,
  amount: postings.amount,
  balanceAfter: postings.balanceAfter,
  valueAt: journals.valueAt,
  event: journals.event,
  sourceId: journals.sourceId,
  transactionId: journals.transactionId,
  paymentId: transactions.paymentId,
  invoiceNumber: payments.invoiceNumber,
};

const position = sql`(${postings.bookedAt}, ${postings.sequence}, ${postings.ledgerAccountId})`;

/** The condition of the walk; null in `after` is its beginning. */
const within = (q: Reader, walk: Slots<Walk & { after: EntryPosition | null }>): SQL | undefined =>
  and(
    walk.accountId ? eq(postings.accountId, walk.accountId) : eq(postings.organizationId, walk.organizationId),
    isNotNull(postings.kind),
    gte(postings.bookedAt, walk.from),
    lt(postings.bookedAt, walk.to),
    walk.after
      ? sql`${position} > (${walk.after.bookedAt}, ${walk.after.sequence}, ${walk.after.ledgerAccountId})`
      : undefined,
    walk.transactionId ? eq(journals.transactionId, walk.transactionId) : undefined,
    walk.paymentId
      ? inArray(
          journals.transactionId,
          q.select({ id: transactions.id }).from(transactions).where(eq(transactions.paymentId, walk.paymentId)),
        )
      : undefined,
    eq(organizations.id, walk.organizationId),
    sql`${ledgerAccounts.livemode} = (${organizations.mode} = 'live')`,
  );

/** The walk's next entries after a position, at most `limit`. */
export const entriesAfter = preparedByShape<Walk & { after: EntryPosition | null; limit: number }, EntryRow[]>(
  (q: Reader, walk) =>
    q
      .select(columns)
      .from(postings)
      .innerJoin(journals, eq(journals.id, postings.journalId))
      .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, postings.ledgerAccountId))
      .innerJoin(organizations, eq(organizations.id, ledgerAccounts.organizationId))
      .leftJoin(transactions, eq(transactions.id, journals.transactionId))
      .leftJoin(payments, eq(payments.id, transactions.paymentId))
      .where(within(q, walk))
      .orderBy(asc(postings.bookedAt), asc(postings.sequence), asc(postings.ledgerAccountId))
      .limit(walk.limit),
);

/** An entry as stored. */
export interface EntryRow extends EntryPosition {
  accountId: string | null;
  kind: (typeof postings.$inferSelect)["kind"];
  currency: string;
  side: "debit" | "credit";
  normalSide: "debit" | "credit";
  amount: number;
  balanceAfter: number;
  valueAt: number;
  event: string;
  sourceId: string;
  transactionId: string | null;
  paymentId: string | null;
  invoiceNumber: string | null;
}
