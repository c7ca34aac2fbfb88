// Reads dead jobs, which failed too often. store.ts makes them due again.
import { and, count, eq } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { jobs } from "@/db/tables";
import { after, newestFirst, type Position } from "@/server/kit/page";
import { isDead } from "./conditions-store";
import type { JobRow } from "./store";

/** The organization's dead jobs, latest first. */
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

/** The number of the organization's dead jobs, counted up to `most`. */
export async function countDeadUpTo(q: Reader, organizationId: string, most: number): Promise<number> {
  const dead = and(isDead, eq(jobs.organizationId, organizationId));
  const some = q.select({ id: jobs.id }).from(jobs).where(dead).limit(most).as("some");
  const [row] = await q.select({ count: count() }).from(some);
  return row?.count ?? 0;
}

/** The number of the organization's dead jobs. */
export const countDead = (q: Reader, organizationId: string): Promise<number> =>
  q.$count(jobs, and(isDead, eq(jobs.organizationId, organizationId)));
