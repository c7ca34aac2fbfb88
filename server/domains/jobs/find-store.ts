// Finds rows of the queue: those of a batch, of some kinds, and those that an organization's clock makes due.
import { and, asc, eq, gt, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { prepared, slot } from "@/db/prepared";
import { jobs } from "@/db/tables";
import { isFree, isWaiting } from "./conditions-store";

const nextDue = prepared("jobs_next_due", (q: Reader) =>
  q
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isWaiting, eq(jobs.priority, slot("priority")), lte(jobs.runAt, slot("now")), isFree))
    .limit(1),
);

/** Whether a job of the priority is due. Needs no write. */
export const isAnyDue = async (q: Reader, priority: number, now: number): Promise<boolean> =>
  (await nextDue(q, { priority, now })).length > 0;

/** The id of the `size`-th job after the given one; null if there are fewer. */
export async function endOfBatch(q: Reader, id: string, size: number): Promise<string | null> {
  const [row] = await q
    .select({ id: jobs.id })
    .from(jobs)
    .where(gt(jobs.id, id))
    .orderBy(asc(jobs.id))
    .limit(1)
    .offset(size - 1);
  return row?.id ?? null;
}

/** The id of the job with this key if it is due and no worker has it; undefined otherwise. */
export async function findFree(tx: Tx, key: string, now: number): Promise<string | undefined> {
  const [row] = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.key, key), isWaiting, isFree, lte(jobs.runAt, now)));
  return row?.id;
}

/** Whether the act with this key is due by `now`, in its organization's time, and waits for its first run, or for its end. */
export const isUnderWay = async (q: Reader, key: string, now: number): Promise<boolean> =>
  (await q.$count(jobs, and(eq(jobs.key, key), isWaiting, isNull(jobs.lastError), lte(jobs.dueAt, now)))) > 0;

/** A literal, as in the index. */
const isAct = sql`${jobs.dueAt} is not null`;
const isActOf = (organizationId: string) => and(eq(jobs.organizationId, organizationId), isWaiting, isAct);

/** How often an act is tried in its turn before it is left to the worker. */
const actTries = 3;

/** The organization's act that was due first, by `now` in its time. One that keeps failing is left to the worker. */
export async function findAct(q: Reader | Tx, organizationId: string, now: number): Promise<string | undefined> {
  const [row] = await q
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isActOf(organizationId), lte(jobs.dueAt, now), or(isNull(jobs.lastError), lt(jobs.failures, actTries))))
    .orderBy(asc(jobs.dueAt), asc(jobs.id))
    .limit(1);
  return row?.id;
}

/** The instant of the organization's act that is due first, in epoch milliseconds; undefined if none waits. */
export async function firstActAt(q: Reader, organizationId: string): Promise<number | undefined> {
  const [row] = await q
    .select({ dueAt: jobs.dueAt })
    .from(jobs)
    .where(isActOf(organizationId))
    .orderBy(asc(jobs.dueAt), asc(jobs.id))
    .limit(1);
  return row?.dueAt ?? undefined;
}

/** Acts of the organization, due after `now`, that would run later in real time than its offset says. */
export const findLateActs = async (
  tx: Tx,
  organizationId: string,
  { now, offsetMs, limit }: { now: number; offsetMs: number; limit: number },
): Promise<string[]> => {
  const rows = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        isActOf(organizationId),
        gt(jobs.dueAt, now),
        isNull(jobs.lease),
        gt(jobs.runAt, sql`${jobs.dueAt} - ${offsetMs}`),
      ),
    )
    .limit(limit);
  return rows.map(({ id }) => id);
};
