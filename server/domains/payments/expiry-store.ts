// Finds payment requests that were expired by a process whose clock was ahead.

import { and, asc, gt, not, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { databaseNow } from "@/db/database-clock";
import { payments, sandboxClocks } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import { limits } from "@/server/kit/limits";

/** Whether the organization's clock was moved: then its time, which all its rows follow, is ahead. */
const isMoved = sql`exists (select 1 from ${sandboxClocks}
  where ${sandboxClocks.organizationId} = ${payments.organizationId} and ${sandboxClocks.offsetMs} > 0)`;

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
      and(
        isExpired,
        gt(payments.updatedAt, sql`${present} + ${limits.clockSkewMs}`),
        gt(unindexed(payments.id), last),
        not(isMoved),
      ),
    )
    .orderBy(asc(payments.id))
    .limit(limit);
}
