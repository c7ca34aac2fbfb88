// Conditions on rows of the queue.
import { sql } from "drizzle-orm";
import { databaseNow } from "@/db/database-clock";
import { jobs } from "@/db/tables";
import { hourMs } from "@/server/kit/limits";

/** A literal, as in the index, because planners do not see through parameters. */
export const isWaiting = sql`${jobs.status} = 'waiting'`;

/** The longest lease, in milliseconds: for a job that seems to kill its workers. */
export const longestLeaseMs = hourMs;

/**
 * No worker has a lease on it. Leases end by the database's clock, because workers' clocks may differ. A lease that
 * ends later than the longest possible one was given before that clock was set back, and is over.
 */
export const isFree = sql`(${jobs.lease} is null or ${jobs.leaseEndsAt} - ${databaseNow} not between 1 and ${longestLeaseMs})`;

export const isDead = sql`${jobs.status} = 'dead'`;
