// Rows of the queue: wanting a job, taking it with a lease, and what becomes of it.
import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { dialect } from "@/db/dialect";
import { prepared, slot } from "@/db/prepared";
import { jobs } from "@/db/tables";
import { after, newestFirst, type Position } from "@/server/kit/page";

export type JobRow = typeof jobs.$inferSelect;

/** Inserts the job, or makes the one with its key due as the new one is. */
export async function saveJob(tx: Tx, row: JobRow): Promise<void> {
  const { runAt, updatedAt, priority } = row;
  await tx
    .insert(jobs)
    .values(row)
    .onConflictDoUpdate({
      target: jobs.key,
      set: { runAt, updatedAt, priority, status: "waiting", lease: null, failures: 0, lastError: null },
    });
}

export async function deleteJob(tx: Tx, key: string): Promise<void> {
  await tx.delete(jobs).where(eq(jobs.key, key));
}

/** Written out as in the index, since a planner does not see through parameters. */
const isWaiting = sql`${jobs.status} = 'waiting'`;

const nextDue = prepared("jobs_next_due", (q: Reader) =>
  q
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isWaiting, eq(jobs.priority, slot("priority")), lte(jobs.runAt, slot("now"))))
    .limit(1),
);

/** Whether a job of the priority is due: a look that costs no write. */
export const isAnyDue = async (q: Reader, priority: number, now: number): Promise<boolean> =>
  (await nextDue(q, { priority, now })).length > 0;

export interface Take {
  priority: number;
  now: number;
  /** Names this worker's hold on the jobs. */
  lease: string;
  /** How long the hold lasts if nobody renews it, in milliseconds. */
  leaseMs: number;
  limit: number;
}

/**
 * Takes due jobs of the priority, the longest due first, and counts the try; those that another worker is taking are
 * passed over. A job that was tried often is held longer: what ends its worker each time must not do so without a pause.
 */
export async function takeDue(tx: Tx, { priority, now, lease, leaseMs, limit }: Take): Promise<JobRow[]> {
  const due = tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isWaiting, eq(jobs.priority, priority), lte(jobs.runAt, now)))
    .orderBy(asc(jobs.runAt))
    .limit(limit);
  const free = dialect === "postgres" ? due.for("update", { skipLocked: true }) : due;
  const runAt = sql`cast(${now} as bigint) + case when ${jobs.failures} < 4 then ${leaseMs} when ${jobs.failures} < 8 then 300000 else 3600000 end`;
  const taken = { lease, runAt, failures: sql`${jobs.failures} + 1`, updatedAt: now };
  return tx.update(jobs).set(taken).where(inArray(jobs.id, free)).returning();
}

/** Still ours: neither wanted anew nor taken by another worker after our lease had ended. Jobs taken together share a lease. */
const areHeld = (held: readonly JobRow[]) =>
  and(
    inArray(
      jobs.id,
      held.map(({ id }) => id),
    ),
    eq(jobs.lease, held[0]?.lease ?? ""),
  );

/** Holds on to a job until `leaseEndsAt` at the least; false if it is not ours any more. */
export async function renewLease(tx: Tx, job: JobRow, leaseEndsAt: number): Promise<boolean> {
  const runAt = sql`case when ${jobs.runAt} > ${leaseEndsAt} then ${jobs.runAt} else ${leaseEndsAt} end`;
  const renewed = await tx
    .update(jobs)
    .set({ runAt })
    .where(areHeld([job]))
    .returning({ id: jobs.id });
  return renewed.length > 0;
}

/** Removes jobs that are done and were taken together, except those wanted anew meanwhile. */
export async function finishJobs(tx: Tx, done: readonly JobRow[]): Promise<void> {
  if (done.length > 0) await tx.delete(jobs).where(areHeld(done));
}

/** Gives a job back as it is to go on, unless it was wanted anew meanwhile. */
export async function returnJob(
  tx: Tx,
  job: JobRow,
  change: Partial<Pick<JobRow, "runAt" | "failures" | "lastError" | "status">> & { updatedAt: number },
): Promise<void> {
  await tx
    .update(jobs)
    .set({ ...change, lease: null })
    .where(areHeld([job]));
}

/**
 * Moves the jobs that were written after `latest` to when they would be due had they been written at `now`, and frees
 * those that are held: their writer's clock was ahead.
 */
export async function moveBack(tx: Tx, latest: number, now: number): Promise<void> {
  await tx
    .update(jobs)
    .set({ runAt: sql`${jobs.runAt} - (${jobs.updatedAt} - ${now})`, updatedAt: now, lease: null })
    .where(and(isWaiting, gt(jobs.updatedAt, latest)));
}

const isDead = sql`${jobs.status} = 'dead'`;

/** The organization's jobs that have failed for good, the latest first. */
export const listDead = (
  q: Reader,
  organizationId: string,
  page: { after: Position | null; limit: number },
): Promise<JobRow[]> => {
  const keyset = { createdAt: jobs.updatedAt, id: jobs.id };
  return q
    .select()
    .from(jobs)
    .where(and(isDead, eq(jobs.organizationId, organizationId), after(keyset, page.after)))
    .orderBy(...newestFirst(keyset))
    .limit(page.limit);
};

export const countDead = (q: Reader, organizationId: string): Promise<number> =>
  q.$count(jobs, and(isDead, eq(jobs.organizationId, organizationId)));

/** Makes a dead job due again; undefined if the organization has no such dead job. */
export async function reviveJob(tx: Tx, organizationId: string, id: string, now: number): Promise<JobRow | undefined> {
  const [row] = await tx
    .update(jobs)
    .set({ status: "waiting", runAt: now, failures: 0, lease: null, updatedAt: now })
    .where(and(eq(jobs.id, id), eq(jobs.organizationId, organizationId), isDead))
    .returning();
  return row;
}

/** Makes up to `limit` of the organization's dead jobs due again, the latest to fail first; their number. */
export async function reviveJobs(tx: Tx, organizationId: string, limit: number, now: number): Promise<number> {
  const dead = tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isDead, eq(jobs.organizationId, organizationId)))
    .orderBy(...newestFirst({ createdAt: jobs.updatedAt, id: jobs.id }))
    .limit(limit);
  const revived = await tx
    .update(jobs)
    .set({ status: "waiting", runAt: now, failures: 0, lease: null, updatedAt: now })
    .where(inArray(jobs.id, dead))
    .returning({ id: jobs.id });
  return revived.length;
}
