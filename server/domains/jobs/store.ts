// Rows of the queue: scheduling a job, taking it with a lease, and finishing or returning it.
import { and, asc, eq, gt, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { databaseNow } from "@/db/database-clock";
import { dialect } from "@/db/dialect";
import { prepared, slot, slotsOf } from "@/db/prepared";
import { jobs } from "@/db/tables";
import { newestFirst } from "@/server/kit/page";
import { isDead, isFree, isWaiting, longestLeaseMs } from "./conditions-store";

export type JobRow = typeof jobs.$inferSelect;

/** The progress of a job that takes many runs. */
export type Progress = JobRow["progress"];

const save = prepared("jobs_save", (tx: Tx) =>
  tx
    .insert(jobs)
    .values(slotsOf(jobs))
    .onConflictDoUpdate({
      target: jobs.key,
      set: {
        runAt: sql`excluded.run_at`,
        dueAt: sql`excluded.due_at`,
        updatedAt: sql`excluded.updated_at`,
        priority: sql`excluded.priority`,
        status: "waiting",
        lease: null,
        failures: 0,
        lastError: null,
        progress: null,
      },
    }),
);

/** Inserts the job, or reschedules the existing one with its key. */
export const saveJob = async (tx: Tx, row: JobRow): Promise<void> => void (await save(tx, { ...row }));

const saveOnce = prepared("jobs_save_once", (tx: Tx) => tx.insert(jobs).values(slotsOf(jobs)).onConflictDoNothing());

/** Inserts the job unless one with its key exists. */
export const saveJobOnce = async (tx: Tx, row: JobRow): Promise<void> => void (await saveOnce(tx, { ...row }));

const remove = prepared("jobs_remove", (tx: Tx) => tx.delete(jobs).where(eq(jobs.key, slot("key"))));

/** Removes the job with this key, if there is one. */
export const deleteJob = async (tx: Tx, key: string): Promise<void> => void (await remove(tx, { key }));

interface Take {
  priority: number;
  now: number;
  /** Identifies this worker's lease on the jobs. */
  lease: string;
  /** How long the lease lasts unless it is renewed, in milliseconds. */
  leaseMs: number;
  limit: number;
}

/**
 * Takes due jobs of the priority, the longest due first, and counts the attempt. Skips those that another is taking.
 */
export const takeDue = (tx: Tx, taking: Take): Promise<JobRow[]> => take(tx, { ...taking });

const take = prepared("jobs_take", (tx: Tx) => {
  const now = sql`cast(${slot("now")} as bigint)`;
  const due = tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isWaiting, eq(jobs.priority, slot("priority")), lte(jobs.runAt, now), isFree))
    .orderBy(asc(jobs.runAt))
    .limit(slot("limit"));
  const free = dialect === "postgres" ? due.for("update", { skipLocked: true }) : due;
  const leaseMs = sql`cast(${slot("leaseMs")} as bigint)`;
  return tx
    .update(jobs)
    .set(taken(now, sql`${slot("lease")}`, leaseMs))
    .where(inArray(jobs.id, free))
    .returning();
});

/** What a taken job has. One that was tried often gets a longer lease: one that kills its workers leaves them a pause. */
function taken(now: SQL, lease: SQL, leaseMs: SQL) {
  const lasts = sql`case when ${jobs.failures} < 4 then ${leaseMs} when ${jobs.failures} < 8 then 300000 else ${longestLeaseMs} end`;
  const leaseEndsAt = sql`${databaseNow} + ${lasts}`;
  return { lease, leaseEndsAt, runAt: sql`${now} + ${lasts}`, failures: sql`${jobs.failures} + 1`, updatedAt: now };
}

/** Takes the waiting job with this id, whether or not a worker has it; undefined if there is none. */
export async function takeJob(
  tx: Tx,
  id: string,
  { now, lease, leaseMs }: Pick<Take, "now" | "lease" | "leaseMs">,
): Promise<JobRow | undefined> {
  const change = taken(sql`cast(${now} as bigint)`, sql`${lease}`, sql`cast(${leaseMs} as bigint)`);
  const [row] = await tx
    .update(jobs)
    .set(change)
    .where(and(eq(jobs.id, id), isWaiting))
    .returning();
  return row;
}

/** Lets acts run when an organization's clock shows their instant, `offsetMs` ahead of real time. */
export const followOffset = async (tx: Tx, ids: string[], offsetMs: number): Promise<void> =>
  void (await tx
    .update(jobs)
    .set({ runAt: sql`${jobs.dueAt} - ${offsetMs}` })
    .where(inArray(jobs.id, ids)));

/**
 * Still ours: neither rescheduled nor taken by another worker after our lease ended. Jobs taken together share a lease.
 */
const areOurs = (taken: readonly JobRow[]) =>
  and(
    inArray(
      jobs.id,
      taken.map(({ id }) => id),
    ),
    eq(jobs.lease, taken[0]?.lease ?? ""),
  );

/** Extends the lease on a job to at least `leaseMs` from now; false if it is no longer ours. */
export async function renewLease(
  tx: Tx,
  job: JobRow,
  { now, leaseMs }: Pick<Take, "now" | "leaseMs">,
): Promise<boolean> {
  const later = (column: typeof jobs.runAt | typeof jobs.leaseEndsAt, end: SQL) =>
    sql`case when ${column} > ${end} then ${column} else ${end} end`;
  const renewed = await tx
    .update(jobs)
    .set({
      leaseEndsAt: later(jobs.leaseEndsAt, sql`${databaseNow} + ${leaseMs}`),
      runAt: later(jobs.runAt, sql`cast(${now} as bigint) + ${leaseMs}`),
    })
    .where(areOurs([job]))
    .returning({ id: jobs.id });
  return renewed.length > 0;
}

/** Removes finished jobs that were taken together, except those rescheduled meanwhile. */
export async function finishJobs(tx: Tx, done: readonly JobRow[]): Promise<void> {
  const [only, another] = done;
  if (only && !another) await finish(tx, { id: only.id, lease: only.lease ?? "" });
  else if (another) await tx.delete(jobs).where(areOurs(done));
}

const finish = prepared("jobs_finish", (tx: Tx) =>
  tx.delete(jobs).where(and(eq(jobs.id, slot("id")), eq(jobs.lease, slot("lease")))),
);

/** Returns a job for a later run, unless it was rescheduled meanwhile. */
export async function returnJob(
  tx: Tx,
  job: JobRow,
  change: Partial<Pick<JobRow, "runAt" | "dueAt" | "failures" | "lastError" | "progress" | "status">> & {
    updatedAt: number;
  },
): Promise<void> {
  await tx
    .update(jobs)
    .set({ ...change, lease: null })
    .where(areOurs([job]));
}

/** Jobs in id order, from the one after `after` to `last`, or to the end. */
export interface Batch {
  after: string;
  last: string | null;
}

const isIn = ({ after, last }: Batch) => and(gt(jobs.id, after), last === null ? undefined : lte(jobs.id, last));

/**
 * Moves the jobs of the batch that were written more than `skewMs` after `now`, by a process with a fast clock, to when
 * they would be due had they been written at `now`. Keeps their leases.
 */
export async function moveBack(tx: Tx, batch: Batch, now: number | SQL, skewMs: number): Promise<void> {
  await tx
    .update(jobs)
    .set({ runAt: sql`${jobs.runAt} - (${jobs.updatedAt} - ${now})`, updatedAt: sql`${now}` })
    .where(and(isIn(batch), isWaiting, gt(sql`${jobs.updatedAt} - ${skewMs}`, now)));
}

const revived = (now: number) => ({ status: "waiting", runAt: now, failures: 0, lease: null, updatedAt: now }) as const;

/** Makes the job with this key due at once, unless a worker has it. */
export const wakeJob = async (tx: Tx, key: string, now: number): Promise<void> =>
  void (await tx
    .update(jobs)
    .set(revived(now))
    .where(and(eq(jobs.key, key), or(isDead, isFree))));

/** Makes a dead job due again; undefined if the organization has no such dead job. */
export async function reviveJob(tx: Tx, organizationId: string, id: string, now: number): Promise<JobRow | undefined> {
  const [row] = await tx
    .update(jobs)
    .set(revived(now))
    .where(and(eq(jobs.id, id), eq(jobs.organizationId, organizationId), isDead))
    .returning();
  return row;
}

/** Makes the job with this key due again if it died at `diedBefore` or earlier (epoch milliseconds). */
export async function reviveOld(tx: Tx, key: string, { now, diedBefore }: { now: number; diedBefore: number }) {
  const isOld = and(eq(jobs.key, key), isDead, lte(jobs.updatedAt, diedBefore));
  await tx.update(jobs).set(revived(now)).where(isOld);
}

/** Makes up to `limit` of the organization's dead jobs due again, latest first. Returns their number. */
export async function reviveJobs(tx: Tx, organizationId: string, limit: number, now: number): Promise<number> {
  const dead = tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isDead, eq(jobs.organizationId, organizationId)))
    .orderBy(...newestFirst({ createdAt: jobs.updatedAt, id: jobs.id }))
    .limit(limit);
  const rows = await tx.update(jobs).set(revived(now)).where(inArray(jobs.id, dead)).returning({ id: jobs.id });
  return rows.length;
}
