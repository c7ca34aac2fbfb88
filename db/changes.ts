// The rows of an organization in the order in which they were last changed.
import { and, asc, eq, gt, inArray, lt, or, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Reader, Tx } from "./client";
import { databaseNow } from "./database-clock";

/** A table with `k.changedAt()` and an index over these columns. */
type ChangedTable = PgTable & { organizationId: AnyPgColumn; changedAt: AnyPgColumn; id: AnyPgColumn };

/** A row, and when it was last changed, in epoch milliseconds of real time. */
export interface Change {
  at: number;
  id: string;
}

export interface Span {
  organizationId: string;
  /** Only rows after this one. */
  after: Change;
  /** Only rows that were changed before this instant. */
  until: number;
  limit: number;
}

/** Up to `limit` rows that were changed within the span, the earliest change first. */
export const changesOf = (
  q: Reader,
  table: ChangedTable,
  { organizationId, after, until, limit }: Span,
): Promise<Change[]> =>
  q
    .select({ at: sql<number>`${table.changedAt}`.mapWith(Number), id: sql<string>`${table.id}` })
    .from(table)
    .where(
      and(
        eq(table.organizationId, organizationId),
        sql`${table.changedAt} >= ${after.at}`,
        or(gt(table.changedAt, after.at), gt(table.id, after.id)),
        lt(table.changedAt, until),
      ),
    )
    .orderBy(asc(table.changedAt), asc(table.id))
    .limit(limit);

/**
 * Counts as changed the rows with these ids, which the caller has locked, because what lists show of them has changed
 * elsewhere: in the row of a customer, a credit or a reminder.
 */
export async function touch(tx: Tx, table: ChangedTable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(table)
    .set({ changedAt: databaseNow })
    .where(inArray(table.id, [...ids]));
}
