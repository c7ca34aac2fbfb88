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

type Dated = Pick<PaymentRow, "id" | "organizationId" | "accountId" | "dueAt" | "expiresAt" | "reminderWaitsSince">;
type Planned = Dated & Pick<PaymentRow, "installments">;

/** Neither sent nor skipped yet. */
export const isOpenReminder = ({ sentAt, skippedReason }: ReminderRow): boolean =>
  sentAt === null && skippedReason === null;

/** The reminders that are still to go: all of them as long as another installment follows, for which they repeat. */
export function remindersAhead(
  { installments, dueAt }: Pick<PaymentRow, "installments" | "dueAt">,
  reminders: readonly ReminderRow[],
): readonly ReminderRow[] {
  const doRepeat = installments !== null && dueAt !== installments.at(-1)?.due_at;
  return doRepeat ? reminders : reminders.filter(isOpenReminder);
}

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

function planned({ now }: WriteContext, { id: paymentId }: Dated, { base, offsetDays, waking }: Plan): ReminderRow {
  const plannedAt = reminderAt(base, offsetDays, waking);
  const skippedReason = plannedAt <= now ? "missed" : null;
  return { paymentId, offsetDays, plannedAt, waitingUntil: null, sentAt: null, mailId: null, skippedReason };
}

/**
 * Moves the open reminders of a payment request, which the caller has locked, with the date that they depend on.
 * Those whose time has then passed are skipped, not sent at once.
 */
export async function moveReminders(ctx: WriteContext, row: Dated): Promise<void> {
  const base = reminderBase(row);
  const open = (await remindersOfOne(ctx.db, row.id)).filter(isOpenReminder);
  if (base === null || open.length === 0) return;
  const waking = await wakingFor(ctx.db, row);
  const moved: ReminderRow[] = [];
  for (const reminder of open) {
    const { plannedAt, skippedReason } = planned(ctx, row, { base, offsetDays: reminder.offsetDays, waking });
    const change = plannedAt === reminder.plannedAt ? {} : { plannedAt, skippedReason, waitingUntil: null };
    if (change.plannedAt !== undefined) await updateReminder(ctx.db, reminder, change);
    moved.push({ ...reminder, ...change });
  }
  await scheduleNext(ctx, row, moved);
}

/**
 * Plans other reminders instead of those that a payment request, which the caller has locked, has ahead. For days whose
 * reminder has gone or was skipped, none is planned again before the next installment.
 */
export async function replanReminders(ctx: WriteContext, row: Planned, offsets: readonly number[]): Promise<void> {
  const before = await remindersOfOne(ctx.db, row.id);
  const isOver = (days: number) => before.some((one) => one.offsetDays === days && !isOpenReminder(one));
  const replaced = remindersAhead(row, before).filter(
    (one) => isOpenReminder(one) || !offsets.includes(one.offsetDays),
  );
  await deleteReminders(ctx.db, row.id, replaced);
  const [base, days] = [reminderBase(row), offsets.filter((one) => !isOver(one))];
  if (base !== null && days.length > 0) await planReminders(ctx, row, base, days);
  else await scheduleNext(ctx, row, []);
}

/**
 * Plans all reminders of a payment request, which the caller has locked, again for the installment that is due next.
 * Those that went before can be told from their mails.
 */
export async function repeatReminders(ctx: WriteContext, row: Dated): Promise<void> {
  const [base, reminders] = [reminderBase(row), await remindersOfOne(ctx.db, row.id)];
  if (base === null || reminders.length === 0) return;
  const waking = await wakingFor(ctx.db, row);
  const again = reminders.map(({ offsetDays }) => planned(ctx, row, { base, offsetDays, waking }));
  await deleteReminders(ctx.db, row.id, reminders);
  await insertReminders(ctx.db, again);
  await scheduleNext(ctx, row, again);
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
