// The durable queue as domains use it: work is wanted in the transaction that makes it necessary, or not at all.
import type { Tx } from "@/db/client";
import type { IdPrefix } from "@/server/kit/ids";
import { deleteJob, type JobRow, saveJob } from "./store";

/** Which code does a job: see {@link handlers} in handlers.ts. */
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

/** What a job is about. There is one job of a kind for an object: wanting it again moves the one that is there. */
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

/** Wants a job, in the caller's transaction. What a worker is doing of it meanwhile does not count any more. */
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

/** Takes a job back that has become needless, in the caller's transaction. */
export const unschedule = ({ db }: Pick<Context, "db">, kind: JobKind, objectId: string): Promise<void> =>
  deleteJob(db, keyOf(kind, objectId));
