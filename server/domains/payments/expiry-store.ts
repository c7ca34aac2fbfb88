// Finds payment requests that were expired by a process whose clock was ahead.

import { and, asc, gt, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { databaseNow } from "@/db/now";
import { payments } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import { limits } from "@/server/kit/limits";

/**
 * Expired payment requests whose last update lies in the future, ordered by id, after `last`. `now` is the database's
 * time, or a test's.
 */
export async function findExpiredEarly(
  q: Reader,
  { now, last, limit }: { now: number | null; last: string; limit: number },
): Promise<{ id: string; organizationId: string }[]> {
  // A subquery runs once: PostgreSQL does not compare an index with a function that may change from row to row.
  const present = now === null ? sql`(select ${databaseNow})` : sql`cast(${now} as bigint)`;
  // A literal, as in the condition of the partial index.
  const isExpired = sql`${payments.status} = 'expired'`;
  return q
    .select({ id: payments.id, organizationId: payments.organizationId })
    .from(payments)
    .where(
      and(isExpired, gt(payments.updatedAt, sql`${present} + ${limits.clockSkewMs}`), gt(unindexed(payments.id), last)),
    )
    .orderBy(asc(payments.id))
    .limit(limit);
}
