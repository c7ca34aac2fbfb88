// Counts of due and dead jobs by kind, for monitoring. Each count is bounded.
import { and, asc, count, eq, lte, type SQL, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { jobs } from "@/db/tables";
import { isDead, isWaiting } from "./conditions-store";

/** Jobs of one kind: how many, and the instant of the oldest in epoch milliseconds. */
export interface KindCount {
  kind: string;
  count: number;
  since: number;
}

/** Due jobs of the priority by kind, and since when the oldest is due. Looks at the `most` longest due only. */
export const countDueKinds = (q: Reader, { priority, now }: { priority: number; now: number }, most: number) =>
  countKinds(q, and(isWaiting, eq(jobs.priority, priority), lte(jobs.runAt, now)), [jobs.runAt], most);

/** Dead jobs of all organizations by kind, and when the oldest of them died. Looks at no more than `most`. */
export const countDeadKinds = (q: Reader, most: number) =>
  countKinds(q, isDead, [jobs.organizationId, jobs.updatedAt], most);

type Column = typeof jobs.runAt | typeof jobs.updatedAt | typeof jobs.organizationId;

/** Counts the first `most` rows in the order of an index, whose last column has the instant. */
function countKinds(q: Reader, where: SQL | undefined, order: readonly Column[], most: number): Promise<KindCount[]> {
  const [at] = order.slice(-1);
  const rows = q
    .select({ kind: jobs.kind, at: sql<number>`${at}`.as("at") })
    .from(jobs)
    .where(where)
    .orderBy(...order.map((column) => asc(column)))
    .limit(most)
    .as("rows");
  return q
    .select({ kind: rows.kind, count: count(), since: sql<number>`min(${rows.at})`.mapWith(Number) })
    .from(rows)
    .groupBy(rows.kind);
}
