// The table of the durable queue: work that a transaction schedules for a worker.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import { inList } from "./checks";
import { jobStatuses } from "./values";

export function jobTables(k: Columns) {
  const jobs = k.table(
    "jobs",
    {
      id: k.text("id").primaryKey(),
      /** Selects the handler. */
      kind: k.text("kind").notNull(),
      /** Kind and object. Scheduling the same key again moves the existing job. */
      key: k.text("key").notNull(),
      /** The organization whose admins see the job if it fails permanently. */
      organizationId: k.text("organization_id").notNull(),
      /** The id of the object that the job works on. */
      objectId: k.text("object_id").notNull(),
      /** `waiting` until done, which deletes the row; `dead` after too many failures. */
      status: k.oneOf("status", [...jobStatuses]).notNull(),
      /** 0 for jobs that somebody waits for, 1 for bulk jobs, 2 for mails. Each has its own share of the worker. */
      priority: k.integer("priority").notNull().default(0),
      /**
       * When it is due, by the processes' time. A worker that takes the job moves this by its lease, so that the job is
       * due again if the worker dies.
       */
      runAt: k.instant("run_at").notNull(),
      /** When it is due in its organization's time, if that decides; null if it waits in real time. */
      dueAt: k.instant("due_at"),
      /** The lease of the worker that took it. */
      lease: k.text("lease"),
      /** When the lease ends, by the database's clock. */
      leaseEndsAt: k.instant("lease_ends_at"),
      /** Failed tries in a row, including the current one: a job that kills its worker counts too. */
      failures: k.integer("failures").notNull().default(0),
      lastError: k.text("last_error"),
      /** The progress of a job that takes many runs, in its handler's format. */
      progress: k.json<Record<string, unknown>>()("progress"),
      createdAt: k.instant("created_at").notNull(),
      updatedAt: k.instant("updated_at").notNull(),
    },
    (t) => [
      k.uniqueIndex("jobs_key").on(t.key),
      k.index("jobs_due").on(t.priority, t.runAt).where(sql`${t.status} = 'waiting'`),
      k
        .index("jobs_acts")
        .on(t.organizationId, t.dueAt, t.id)
        .where(sql`${t.status} = 'waiting' and ${t.dueAt} is not null`),
      k.index("jobs_dead").on(t.organizationId, t.updatedAt, t.id).where(sql`${t.status} = 'dead'`),
      k.check("jobs_status", inList(t.status, jobStatuses)),
    ],
  );
  return { jobs };
}
