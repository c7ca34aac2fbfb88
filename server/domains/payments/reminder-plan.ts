// When the reminders of a payment request go: planned once it is final, moved with its dates, dropped at its end.
import { schedule, unschedule } from "@/server/domains/jobs/queue";
import type { WriteContext } from "@/server/kit/context";
import {
  deleteReminders,
  insertReminders,
  type ReminderRow,
  remindersOfOne,
  skipOpen,
  updateReminder,
} from "./reminder-store";
import { reminderAt, reminderBase, type Waking, wakingFor } from "./reminder-times";
import { type PaymentRow, updatePayment } from "./store";

type Dated = Pick<
  PaymentRow,
  "id" | "organizationId" | "accountId" | "dueAt" | "expiresAt" | "installments" | "reminderWaitsSince"
>;

/** Neither sent nor skipped yet. */
export const isOpenReminder = ({ sentAt, skippedReason }: ReminderRow): boolean =>
  sentAt === null && skippedReason === null;

/** Plans reminders of a new payment request. Those whose time is over already are skipped, so none goes at once. */
export async function planReminders(
  ctx: WriteContext,
  row: Dated,
  base: number,
  offsets: readonly number[],
): Promise<ReminderRow[]> {
  const waking = await wakingFor(ctx.db, row);
  const reminders = offsets.map((offsetDays) => planned(ctx, row, { base, offsetDays, waking }));
  await insertReminders(ctx.db, reminders);
  await scheduleNext(ctx, row, reminders);
  return reminders;
}

interface Plan {
  base: number;
  offsetDays: number;
  waking: Waking;
}

/**
 * A reminder of the date `base`, or of the first later installment for which it is not too late, whether those before are
 * paid or not.
 */
function planned({ now }: WriteContext, row: Dated, { base, offsetDays, waking }: Plan): ReminderRow {
  const dates = row.installments?.map(({ due_at }) => due_at).filter((at) => at >= base) ?? [];
  const dueAt = dates.find((date) => reminderAt(date, offsetDays, waking) > now) ?? dates.at(-1) ?? base;
  const plannedAt = reminderAt(dueAt, offsetDays, waking);
  const skippedReason = plannedAt <= now ? "missed" : null;
  return {
    paymentId: row.id,
    offsetDays,
    dueAt,
    plannedAt,
    waitingUntil: null,
    sentAt: null,
    mailId: null,
    skippedReason,
  };
}

/**
 * Whether the reminder, whose time has come, waits to remind of a date that still counts: for the morning, for room within
 * the limits on mails, or for the end of a dispute.
 */
const isWaiting = ({ now }: WriteContext, row: Dated, base: number, one: ReminderRow): boolean =>
  isOpenReminder(one) && one.plannedAt <= now && (row.installments === null ? one.dueAt === base : one.dueAt >= base);

/** Whether it was too late for the reminder when it was planned. */
const isMissed = ({ skippedReason }: ReminderRow): boolean => skippedReason === "missed";

/**
 * The earliest date for a reminder that takes the place of `one`: the date of `one` if that has not gone, else a later
 * one. So no reminder goes twice for an installment.
 */
function earliestDateFor(one: ReminderRow | undefined, row: Dated, base: number): number {
  if (row.installments === null || !one) return base;
  return Math.max(base, isOpenReminder(one) || isMissed(one) ? one.dueAt : one.dueAt + 1);
}

const hasDateFrom = ({ installments }: Dated, at: number): boolean =>
  installments === null || installments.some(({ due_at }) => due_at >= at);

/**
 * Moves the reminders of a payment request, which the caller has locked, with the date that they depend on: those that
 * are open, and those that had been too late for the earlier date. Those whose time has then passed are skipped, not sent
 * at once. One that waits stays if its date does. The dates of installments stay.
 */
export async function moveReminders(ctx: WriteContext, row: Dated): Promise<void> {
  const base = reminderBase(row);
  const reminders = await remindersOfOne(ctx.db, row.id);
  if (base === null || reminders.length === 0) return;
  const waking = await wakingFor(ctx.db, row);
  const isMovable = (one: ReminderRow) => isMissed(one) || (isOpenReminder(one) && !isWaiting(ctx, row, base, one));
  const moved = row.installments === null ? reminders.filter(isMovable) : [];
  const after = moved.map((one) => {
    const again = planned(ctx, row, { base, offsetDays: one.offsetDays, waking });
    return again.plannedAt === one.plannedAt ? { ...one, dueAt: base } : again;
  });
  await replaceReminders(ctx, row, moved, after);
}

/** Puts these reminders in the place of others for the same days, and schedules the next one. */
async function replaceReminders(ctx: WriteContext, row: Dated, before: readonly ReminderRow[], after: ReminderRow[]) {
  const other = after.filter((one, i) => one !== before[i]);
  await deleteReminders(ctx.db, row.id, other);
  if (other.length > 0) await insertReminders(ctx.db, other);
  await scheduleNext(ctx, row, await remindersOfOne(ctx.db, row.id));
}

/**
 * Plans other reminders instead of those that a payment request, which the caller has locked, has ahead or missed. For
 * days whose reminder has gone, was skipped or waits, none is planned again.
 */
export async function replanReminders(ctx: WriteContext, row: Dated, offsets: readonly number[]): Promise<void> {
  const before = await remindersOfOne(ctx.db, row.id);
  const of = (days: number) => before.find((one) => one.offsetDays === days);
  const base = reminderBase(row);
  const isKept = (one: ReminderRow) =>
    base !== null && offsets.includes(one.offsetDays) && isWaiting(ctx, row, base, one);
  const isAhead = (one: ReminderRow) => isOpenReminder(one) && !isKept(one);
  const isFree = (one: ReminderRow | undefined) => !one || isAhead(one) || isMissed(one);
  const days = offsets.filter((one) => isFree(of(one)));
  const isReplaced = (one: ReminderRow) => isAhead(one) || (base !== null && days.includes(one.offsetDays));
  await deleteReminders(ctx.db, row.id, before.filter(isReplaced));
  if (base !== null && days.length > 0) {
    const waking = await wakingFor(ctx.db, row);
    await insertReminders(
      ctx.db,
      days.map((offsetDays) =>
        planned(ctx, row, { base: earliestDateFor(of(offsetDays), row, base), offsetDays, waking }),
      ),
    );
  }
  await scheduleNext(ctx, row, await remindersOfOne(ctx.db, row.id));
}

/**
 * Plans the reminders of a payment request, which the caller has locked, again for what is due next: all that are open,
 * and others if it is not too late. One that waits to remind of an installment that is still due stays. Those that went
 * before can be told from their mails. If something `isDueAgain`, they may go for the same dates again.
 */
export async function repeatReminders(ctx: WriteContext, row: Dated, isDueAgain: boolean): Promise<void> {
  const base = reminderBase(row);
  const before = await remindersOfOne(ctx.db, row.id);
  if (base === null || before.length === 0) return;
  const waking = await wakingFor(ctx.db, row);
  const after = before.map((one) => {
    const from = isDueAgain ? base : earliestDateFor(one, row, base);
    if (isWaiting(ctx, row, base, one) || !hasDateFrom(row, from)) return one;
    const again = planned(ctx, row, { base: from, offsetDays: one.offsetDays, waking });
    return isOpenReminder(one) || isOpenReminder(again) ? again : one;
  });
  await replaceReminders(ctx, row, before, after);
}

/**
 * Plans reminders that have just gone, or were skipped, again for a later installment of the payment request, which the
 * caller has locked.
 */
export async function remindOfLater(ctx: WriteContext, row: Dated, over: readonly ReminderRow[]): Promise<void> {
  const base = reminderBase(row);
  if (base === null || row.installments === null) return;
  const waking = await wakingFor(ctx.db, row);
  const again = over
    .map(({ offsetDays, dueAt }) => ({ offsetDays, from: Math.max(base, dueAt + 1) }))
    .filter(({ from }) => hasDateFrom(row, from))
    .map(({ offsetDays, from }) => planned(ctx, row, { base: from, offsetDays, waking }))
    .filter(isOpenReminder);
  await deleteReminders(ctx.db, row.id, again);
  if (again.length > 0) await insertReminders(ctx.db, again);
}

/**
 * Moves the planned reminders of a payment request, which the caller has locked, to the hour and the time zone in which
 * its account reminds now. One whose new time has passed goes as soon as it can. Resolves to how many have moved.
 */
export async function retimeReminders(ctx: WriteContext, row: Dated): Promise<number> {
  const waking = await wakingFor(ctx.db, row);
  let moved = 0;
  for (const one of await remindersOfOne(ctx.db, row.id)) {
    const plannedAt = reminderAt(one.dueAt, one.offsetDays, waking);
    if (!isOpenReminder(one) || one.plannedAt <= ctx.now || plannedAt === one.plannedAt) continue;
    await updateReminder(ctx.db, one, { plannedAt });
    moved++;
  }
  if (moved > 0) await scheduleNext(ctx, row, await remindersOfOne(ctx.db, row.id));
  return moved;
}

/**
 * Skips the reminders of a payment request, which the caller has locked, whose time has come: they may have gone since the
 * backup that was restored. Plans them again for later installments.
 */
export async function skipDueReminders(ctx: WriteContext, row: Dated): Promise<void> {
  const open = (await remindersOfOne(ctx.db, row.id)).filter(isOpenReminder);
  const due = open.filter(({ plannedAt }) => plannedAt <= ctx.now);
  for (const one of due) await updateReminder(ctx.db, one, { skippedReason: "database_restored" });
  await remindOfLater(ctx, row, due);
  await scheduleNext(ctx, row, await remindersOfOne(ctx.db, row.id));
}

/** Skips the open reminders of a payment request that is paid or canceled for good. The caller has locked it. */
export async function dropReminders(ctx: WriteContext, row: PaymentRow): Promise<void> {
  const { id, canceledAt } = row;
  const reason = canceledAt === null ? "payment_already_paid" : "payment_not_payable";
  if ((await skipOpen(ctx.db, id, reason)) === 0) return;
  await noteWaiting(ctx, row, []);
  await unschedule(ctx, "payments.remind", id);
}

/** Schedules the open reminders of a payment request, which the caller has locked, at the end of its dispute. */
export const resumeReminders = async (ctx: WriteContext, row: Dated): Promise<void> =>
  scheduleNext(ctx, row, await remindersOfOne(ctx.db, row.id));

/** When an open reminder goes: as planned, or once it no longer waits. */
export const goesAt = ({ plannedAt, waitingUntil }: Pick<ReminderRow, "plannedAt" | "waitingUntil">): number =>
  waitingUntil ?? plannedAt;

/** When the open reminder that goes next does so; undefined if none is open. */
export const nextReminderAt = (reminders: readonly ReminderRow[]): number | undefined => {
  const instants = reminders.filter(isOpenReminder).map(goesAt);
  return instants.length === 0 ? undefined : Math.min(...instants);
};

/** Notes in a payment request, which the caller has locked, since when its open reminders wait. */
export async function noteWaiting(
  ctx: WriteContext,
  { id, reminderWaitsSince: before }: Pick<PaymentRow, "id" | "reminderWaitsSince">,
  reminders: readonly ReminderRow[],
): Promise<void> {
  const waiting = reminders.filter((one) => isOpenReminder(one) && one.waitingUntil !== null);
  const reminderWaitsSince = waiting.length === 0 ? null : Math.min(...waiting.map(({ plannedAt }) => plannedAt));
  if (reminderWaitsSince !== before) await updatePayment(ctx.db, id, { reminderWaitsSince });
}

/**
 * A payment request has one job for all its reminders, due when the next one goes: at once for one whose time passed
 * during a dispute.
 */
async function scheduleNext(ctx: WriteContext, row: Dated, reminders: readonly ReminderRow[]): Promise<void> {
  const { id: objectId, organizationId } = row;
  await noteWaiting(ctx, row, reminders);
  const next = nextReminderAt(reminders);
  if (next === undefined) return unschedule(ctx, "payments.remind", objectId);
  await schedule(ctx, { kind: "payments.remind", organizationId, objectId, dueAt: Math.max(next, ctx.now) });
}
