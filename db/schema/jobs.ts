// The table of the durable queue: work that a transaction leaves for a worker.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import { inList } from "./checks";
import { jobStatuses } from "./values";

export function jobTables(k: Columns) {
  const jobs = k.table(
    "jobs",
    {
      id: k.text("id").primaryKey(),
      /** Which code does it. */
      kind: k.text("kind").notNull(),
      /** Kind and object: scheduling the same job again moves the one that is there. */
      key: k.text("key").notNull(),
      /** The organization whose admins see the job if it fails for good. */
      organizationId: k.text("organization_id").notNull(),
      /** The id of what it is about. */
      objectId: k.text("object_id").notNull(),
      /** `waiting` until it is done, which removes the row; `dead` once it has failed too often. */
      status: k.oneOf("status", [...jobStatuses]).notNull(),
      /** 0 for jobs that somebody waits for, 1 for jobs in bulk. Each has a share of the worker of its own. */
      priority: k.integer("priority").notNull().default(0),
      /**
       * When it is due, by the processes' time. A worker that takes the job moves this on by its lease, so that a dead
       * worker's job is due again.
       */
      runAt: k.instant("run_at").notNull(),
      /** The lease of the worker that has taken it. */
      lease: k.text("lease"),
      /** When the lease ends, by the database's clock. */
      leaseEndsAt: k.instant("lease_ends_at"),
      /** Tries in a row that did not succeed, the running one included: a job that ends its worker counts as well. */
      failures: k.integer("failures").notNull().default(0),
      lastError: k.text("last_error"),
      createdAt: k.instant("created_at").notNull(),
      updatedAt: k.instant("updated_at").notNull(),
    },
    (t) => [
      k.uniqueIndex("jobs_key").on(t.key),
      k.index("jobs_due").on(t.priority, t.runAt).where(sql`${t.status} = 'waiting'`),
      k.index("jobs_dead").on(t.organizationId, t.updatedAt, t.id).where(sql`${t.status} = 'dead'`),
      k.check("jobs_status", inList(t.status, jobStatuses)),
    ],
  );
  return { jobs };
}
