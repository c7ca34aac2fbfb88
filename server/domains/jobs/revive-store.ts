// Makes jobs of the queue due again: dead ones, and one that somebody waits for.
import { and, eq, inArray, lte, or } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { jobs } from "@/db/tables";
import { newestFirst } from "@/server/kit/page";
import { isDead, isFree, type JobRow } from "./store";

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
