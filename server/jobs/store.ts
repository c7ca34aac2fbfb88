// Rows of the queue: wanting a job, taking it with a lease, and what becomes of it.
import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { dialect } from "@/db/dialect";
import { prepared, slot } from "@/db/prepared";
import { jobs } from "@/db/tables";
import { after, newestFirst, type Position } from "@/server/kit/page";

export type JobRow = typeof jobs.$inferSelect;

/** Inserts the job, or makes the one with its key due as the new one is. */
export async function saveJob(tx: Tx, row: JobRow): Promise<void> {
  const { runAt, updatedAt } = row;
  await tx
    .insert(jobs)
    .values(row)
    .onConflictDoUpdate({
      target: jobs.key,
      set: { runAt, updatedAt, status: "waiting", lease: null, failures: 0, lastError: null },
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
    .where(and(isWaiting, lte(jobs.runAt, slot("now"))))
    .limit(1),
);

/** Whether a job is due: a look that costs no write. */
export const isAnyDue = async (q: Reader, now: number): Promise<boolean> => (await nextDue(q, { now })).length > 0;

/** Takes due jobs, the longest due first, until `leaseEndsAt`; those that another worker is taking are passed over. */
export async function takeDue(
  tx: Tx,
  { now, lease, leaseEndsAt, limit }: { now: number; lease: string; leaseEndsAt: number; limit: number },
): Promise<JobRow[]> {
  const due = tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isWaiting, lte(jobs.runAt, now)))
    .orderBy(asc(jobs.runAt))
    .limit(limit);
  const free = dialect === "postgres" ? due.for("update", { skipLocked: true }) : due;
  return tx.update(jobs).set({ lease, runAt: leaseEndsAt }).where(inArray(jobs.id, free)).returning();
}

/** Still ours: neither wanted anew nor taken by another worker after our lease had ended. */
const isHeld = ({ id, lease }: JobRow) => and(eq(jobs.id, id), eq(jobs.lease, lease ?? ""));

/** Removes a job that is done, unless it was wanted anew meanwhile. */
export async function finishJob(tx: Tx, job: JobRow): Promise<void> {
  await tx.delete(jobs).where(isHeld(job));
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
    .where(isHeld(job));
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
