// Recomputes payment requests that an earlier version wrote: a job for each organization, in batches.
import * as z from "zod";
import { forgetValues, isUnavailable, tookTooLong } from "@/db/errors";
import { passes } from "@/server/domains/jobs/passes";
import { scheduleOnce } from "@/server/domains/jobs/queue";
import type { Later } from "@/server/domains/jobs/runner";
import type { Progress } from "@/server/domains/jobs/store";
import { findFirstOrganization, listOrganizations } from "@/server/domains/organizations/store";
import { inBackground } from "@/server/domains/records/in-background";
import { requestCapture } from "@/server/domains/transactions/record-store";
import type { WriteContext } from "@/server/kit/context";
import { dayMs, limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { expirePayments } from "./expire";
import { attemptsOfMany, batchOf, withUndecidedRefunds } from "./recompute-store";
import { isStale } from "./stale";
import { attemptsOf, lockPayment, lockPayments, type PaymentRow } from "./store";
import { decideRefunds } from "./surplus";

const task = "payments.recompute";

const progressShape = z.strictObject({
  pass: z.int(),
  /** When the first pass began, in epoch milliseconds. */
  startedAt: z.int().default(0),
  /** The last payment request that was checked in this pass. */
  after: z.strictObject({ createdAt: z.int(), id: z.string() }).nullable(),
  checked: z.int(),
  corrected: z.int(),
  /** The ids of those that this pass could not correct. */
  failed: z.array(z.string()).default([]),
});
type Position = z.infer<typeof progressShape>;

const startAt = (startedAt: number): Position => ({
  pass: 1,
  startedAt,
  after: null,
  checked: 0,
  corrected: 0,
  failed: [],
});

/**
 * Checks some batches of the organization's payment requests, newest first, and corrects those that an earlier version
 * derived differently. Resolves to where it continues, until the last pass is over. One that cannot be corrected stops
 * no other: the job fails in the end, and names it. More than `limits.batch.recompute.failures` in one pass have a
 * common cause, so the job fails at once, and its next attempt begins where this one began. Idempotent.
 */
export async function recomputePayments(
  runtime: Runtime,
  organizationId: string,
  signal: AbortSignal,
  saved: Progress,
): Promise<Later | undefined> {
  let progress = saved === null ? startAt(runtime.clock.now()) : progressShape.parse(saved);
  for (let batches = 0; batches < limits.batch.recompute.runs && !signal.aborted; batches++) {
    const rows = await batchOf(runtime.db.read, organizationId, progress.after, limits.batch.recompute.rows);
    const last = rows.at(-1);
    if (!last) return endOfPass(runtime, organizationId, progress);
    const wrong = await findWrong(runtime, rows);
    const failed = await correctAll(runtime, wrong);
    progress = {
      ...progress,
      after: { createdAt: last.createdAt, id: last.id },
      checked: progress.checked + rows.length,
      corrected: progress.corrected + wrong.length - failed.length,
      failed: [...progress.failed, ...failed],
    };
    if (progress.failed.length > limits.batch.recompute.failures) throw cannotCorrect(progress.failed);
  }
  return { again: runtime.clock.now(), progress };
}

/** Makes the first pass over all payment requests now, before anyone is served. The jobs make the others. */
export async function recomputeAtOnce(runtime: Runtime): Promise<void> {
  const never = new AbortController().signal;
  for (const { id } of await listOrganizations(runtime.db.read)) {
    for (let progress: Progress = startAt(runtime.clock.now()); progress?.pass === 1; ) {
      progress = (await recomputePayments(runtime, id, never, progress))?.progress ?? null;
    }
  }
}

async function endOfPass(runtime: Runtime, organizationId: string, progress: Position): Promise<Later | undefined> {
  // Whatever was in their way may be gone.
  const failed = await correctEach(runtime, progress.failed);
  runtime.log.info({ organizationId, ...progress, failed }, "payment requests of an earlier version were recomputed");
  const pause = passes[progress.pass];
  if (pause !== undefined) {
    const next = { ...progress, pass: progress.pass + 1, after: null, failed: [] };
    return { again: runtime.clock.now() + pause, progress: next };
  }
  // First, because the job of an organization whose payment requests cannot be corrected ends here.
  await includeNewOrganizations(runtime, organizationId, progress);
  if (failed.length > 0) throw cannotCorrect(failed);
  return undefined;
}

/**
 * Schedules a pass over the payment requests of organizations that were created since the upgrade: processes of the
 * previous version may have created them, and they have no job. One of the jobs does this for all, and a job that was
 * scheduled here does not.
 */
async function includeNewOrganizations(
  runtime: Runtime,
  organizationId: string,
  { startedAt }: Position,
): Promise<void> {
  const { db, clock } = runtime;
  if ((await findFirstOrganization(db.read))?.id !== organizationId) return;
  const since = startedAt - dayMs;
  const created = (await listOrganizations(db.read)).filter(
    ({ id, createdAt }) => createdAt >= since && id !== organizationId,
  );
  if (created.length === 0) return;
  const progress = { ...startAt(clock.now()), pass: passes.length };
  await inBackground(runtime, task, async (ctx) => {
    for (const { id } of created) {
      await scheduleOnce(ctx, { kind: task, organizationId: id, objectId: id, afterMs: 0, progress });
    }
  });
}

const cannotCorrect = (ids: readonly string[]): Error =>
  new Error(`Payment requests that cannot be recomputed; the log says why: ${ids.join(", ")}`);

/** The ids of those that need a correction, read without locks. */
async function findWrong({ db, clock }: Runtime, rows: readonly PaymentRow[]): Promise<string[]> {
  const ids = rows.map(({ id }) => id);
  const attempts = await attemptsOfMany(db.read, ids);
  const undecided = await withUndecidedRefunds(db.read, ids);
  const wrong: string[] = [];
  for (const row of rows) {
    const own = row.isTrial ? await attemptsOf(db.read, row) : attempts(row.id);
    const isWrong = undecided.has(row.id) || own.some(asksTooMuch) || (await isStale(db.read, row, own, clock.now()));
    if (isWrong) wrong.push(row.id);
  }
  return wrong;
}

/**
 * An earlier version allowed two open authorizations and could request a capture larger than either, which no provider
 * carries out.
 */
const asksTooMuch = (attempt: { captureRequested: number | null; amountAuthorized: number }): boolean =>
  attempt.captureRequested !== null && attempt.captureRequested > attempt.amountAuthorized;

/** Corrects them in one transaction, or else each alone. Returns the ids of those that cannot be corrected. */
async function correctAll(runtime: Runtime, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  try {
    await correct(runtime, ids);
    return [];
  } catch (error) {
    if (isOutage(error)) throw error;
    return correctEach(runtime, ids);
  }
}

async function correctEach(runtime: Runtime, ids: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  for (const id of ids) {
    try {
      await correct(runtime, [id]);
    } catch (error) {
      if (isOutage(error)) throw error;
      runtime.log.error({ err: forgetValues(error), payment: id }, "a payment request could not be recomputed");
      failed.push(id);
    }
  }
  return failed;
}

/** Whether the database, and not the payment request, is the cause. */
const isOutage = (error: unknown): boolean => isUnavailable(error) && !tookTooLong(error);

async function correct(runtime: Runtime, ids: readonly string[]): Promise<void> {
  await inBackground(runtime, task, async (ctx) => {
    await lockPayments(ctx.db, ids);
    for (const id of ids) await correctTransactions(ctx, id);
  });
  await expirePayments(runtime, ids);
}

async function correctTransactions({ db, now }: WriteContext, paymentId: string): Promise<void> {
  const row = await lockPayment(db, paymentId);
  if (!row) return;
  const attempts = await attemptsOf(db, row);
  await decideRefunds(db, row, attempts);
  for (const attempt of attempts) {
    if (asksTooMuch(attempt)) await requestCapture(db, attempt.id, attempt.amountAuthorized, now);
  }
}
