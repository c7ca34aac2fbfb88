// Finds the transactions whose provider's events a storm repeats.
import { and, eq, gt, inArray } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { jobs, transactions } from "@/db/tables";
import { keyOf } from "@/server/domains/jobs/queue";
import { limits } from "@/server/kit/limits";
import { newestFirst } from "@/server/kit/page";

/**
 * The ids of the organization's latest payments and refunds at the sandbox, newest first. Without those whose next event
 * is still to come at `now`, in the organization's time.
 */
export async function recentAtSandbox(q: Reader, organizationId: string, now: number): Promise<string[]> {
  const rows = await q
    .select({ id: transactions.id, provider: transactions.provider })
    .from(transactions)
    .where(eq(transactions.organizationId, organizationId))
    .orderBy(...newestFirst(transactions))
    .limit(limits.storm.transactions);
  const ids = rows.filter(({ provider }) => provider === "sandbox").map(({ id }) => id);
  const keys = ids.map((id) => keyOf("sandbox.event", id));
  const coming = await q
    .select({ id: jobs.objectId })
    .from(jobs)
    .where(and(inArray(jobs.key, keys), gt(jobs.dueAt, now)));
  return ids.filter((id) => !coming.some((job) => job.id === id));
}
