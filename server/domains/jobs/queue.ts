// The durable queue as domains use it: a job is scheduled in the transaction that makes it necessary.
import type { Tx } from "@/db/client";
import type { IdPrefix } from "@/server/kit/ids";
import { deleteJob, type JobRow, saveJob } from "./store";

/** What is to be done; server/background/handlers.ts says which code does it. */
export type JobKind =
  | "payments.lookup"
  | "payments.expire"
  | "payments.words"
  | "payments.cancel_open"
  | "sandbox.event";

/**
 * Which jobs are done first, whatever the number of the others: 0 for those that a payer or a caller waits for, 1 for
 * those in bulk, for which nobody waits.
 */
export const priorityOf: Readonly<Record<JobKind, 0 | 1>> = {
  "payments.lookup": 0,
  "sandbox.event": 0,
  "payments.expire": 1,
  "payments.words": 1,
  "payments.cancel_open": 1,
};

/** What a job is about. There is one job of a kind for an object: scheduling it again moves the one that is there. */
export interface Wanted {
  kind: JobKind;
  organizationId: string;
  objectId: string;
  /** Epoch ms at which it is due. */
  runAt: number;
}

interface Context {
  readonly db: Tx;
  readonly now: number;
  id(prefix: IdPrefix): string;
}

const keyOf = (kind: JobKind, objectId: string): string => `${kind}:${objectId}`;

/** Schedules a job, in the caller's transaction. A run that a worker has already begun does not count as this one. */
export async function schedule(ctx: Context, wanted: Wanted): Promise<void> {
  const row: JobRow = {
    id: ctx.id("job"),
    ...wanted,
    key: keyOf(wanted.kind, wanted.objectId),
    status: "waiting",
    priority: priorityOf[wanted.kind] ?? 0,
    lease: null,
    leaseEndsAt: null,
    failures: 0,
    lastError: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  await saveJob(ctx.db, row);
}

/** Removes a job that is no longer needed, in the caller's transaction. */
export const unschedule = ({ db }: Pick<Context, "db">, kind: JobKind, objectId: string): Promise<void> =>
  deleteJob(db, keyOf(kind, objectId));
