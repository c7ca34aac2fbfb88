// The durable queue as domains use it: a job is scheduled in the transaction that needs it.
import type { Tx } from "@/db/client";
import type { IdPrefix } from "@/server/kit/ids";
import { deleteJob, type JobRow, type Progress, reviveOld, saveJob, saveJobOnce, wakeJob } from "./store";

/** The kinds of jobs. server/background/handlers.ts maps them to handlers. */
export type JobKind =
  | "payments.lookup"
  | "payments.look_up_method"
  | "payments.forget_method"
  | "payments.expire"
  | "payments.remind"
  | "payments.overdue"
  | "payments.cancel_open"
  | "payments.cancel_uses"
  | "payments.move_uses"
  | "payments.move_reminders"
  | "subscriptions.run"
  | "subscriptions.cancel_open"
  | "customers.move"
  | "customers.erase"
  | "customers.erase_papers"
  | "sandbox.event"
  | "sandbox.advance"
  | "mails.deliver"
  | "mails.forget_user"
  | "users.mail_reset"
  | "database.backup";

/**
 * Which share of the worker runs a job, however many others wait: 0 for those that somebody waits for, 1 for
 * bulk jobs, which nobody waits for, 2 for mails, whose server may be slow, and 3 for subscriptions, of which very many
 * may be due in the same minute.
 */
export const priorityOf: Readonly<Record<JobKind, 0 | 1 | 2 | 3>> = {
  "payments.lookup": 0,
  "payments.look_up_method": 0,
  "payments.forget_method": 1,
  "sandbox.event": 0,
  "sandbox.advance": 0,
  "payments.expire": 1,
  "payments.remind": 1,
  "payments.overdue": 1,
  "payments.cancel_open": 1,
  "payments.cancel_uses": 1,
  "payments.move_uses": 1,
  "payments.move_reminders": 1,
  "subscriptions.run": 3,
  "subscriptions.cancel_open": 1,
  "customers.move": 1,
  "customers.erase": 1,
  "customers.erase_papers": 1,
  "mails.deliver": 2,
  "mails.forget_user": 1,
  "users.mail_reset": 0,
  "database.backup": 1,
};

/** The kinds of jobs whose handlers work in their organization's time. */
export const inOrganizationTime: ReadonlySet<string> = new Set<JobKind>([
  "payments.lookup",
  "payments.expire",
  "payments.remind",
  "payments.cancel_open",
  "payments.overdue",
  "payments.cancel_uses",
  "payments.move_uses",
  "payments.move_reminders",
  "payments.look_up_method",
  "subscriptions.run",
  "subscriptions.cancel_open",
  "customers.move",
  "customers.erase",
  "sandbox.event",
  "customers.erase_papers",
]);

/**
 * When a job is due: at an instant of its organization's time, epoch milliseconds, which an advance of a sandbox clock
 * reaches; or after a wait in real time.
 */
export type When = { dueAt: number } | { afterMs: number };

/** A job. An object has one job of a kind: scheduling it again moves the existing one. */
interface Job {
  kind: JobKind;
  organizationId: string;
  objectId: string;
  /** Where it begins, if not at the start. */
  progress?: Progress;
}

/** A job to schedule, and when. */
type Wanted = When & Job;

interface Context {
  readonly db: Tx;
  /** The organization's time. */
  readonly now: number;
  readonly realNow: number;
  id(prefix: IdPrefix): string;
}

export const keyOf = (kind: JobKind, objectId: string): string => `${kind}:${objectId}`;

/** Schedules a job in the caller's transaction. If a worker is already running it, it runs once more. */
export const schedule = (ctx: Context, wanted: Wanted): Promise<void> => saveJob(ctx.db, rowOf(ctx, wanted));

/** Like {@link schedule}, but leaves an existing job as it is. */
export const scheduleOnce = (ctx: Context, wanted: Wanted): Promise<void> => saveJobOnce(ctx.db, rowOf(ctx, wanted));

/** Schedules a job for now, or wakes the existing one. Unlike {@link schedule}, it never makes a second worker run it. */
export async function wake(ctx: Context, job: Job): Promise<void> {
  await scheduleOnce(ctx, { ...job, afterMs: 0 });
  await wakeJob(ctx.db, keyOf(job.kind, job.objectId), ctx.realNow);
}

/**
 * Makes a dead job due again once it has been dead for `afterMs`. For a job that belongs to no organization, because
 * nobody can retry it.
 */
export const reviveDead = (
  { db, realNow: now }: Context,
  kind: JobKind,
  objectId: string,
  afterMs: number,
): Promise<void> => reviveOld(db, keyOf(kind, objectId), { now, diedBefore: now - afterMs });

function rowOf(ctx: Context, wanted: Wanted): JobRow {
  const { kind, organizationId, objectId, progress = null } = wanted;
  return {
    id: ctx.id("job"),
    ...{ kind, organizationId, objectId, progress },
    key: keyOf(kind, objectId),
    status: "waiting",
    priority: priorityOf[kind] ?? 0,
    ...timesOf(wanted, ctx),
    lease: null,
    leaseEndsAt: null,
    failures: 0,
    lastError: null,
    createdAt: ctx.realNow,
    updatedAt: ctx.realNow,
  };
}

/** The columns that say when a job is due, given the time of its organization and the real one. */
export const timesOf = (
  when: When,
  { now, realNow }: Pick<Context, "now" | "realNow">,
): Pick<JobRow, "dueAt" | "runAt"> =>
  "dueAt" in when
    ? { dueAt: when.dueAt, runAt: realNow + when.dueAt - now }
    : { dueAt: null, runAt: realNow + when.afterMs };

/** Removes a job that is no longer needed, in the caller's transaction. */
export const unschedule = ({ db }: Pick<Context, "db">, kind: JobKind, objectId: string): Promise<void> =>
  deleteJob(db, keyOf(kind, objectId));
