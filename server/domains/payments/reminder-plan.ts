// When the reminders of a payment request go: planned at its creation, moved with its expiry, dropped at its end.
import { schedule, unschedule } from "@/server/domains/jobs/queue";
import type { WriteContext } from "@/server/kit/context";
import { dayMs } from "@/server/kit/limits";
import { insertReminders, type ReminderRow, remindersOfOne, skipOpen, updateReminder } from "./reminder-store";
import type { PaymentRow } from "./store";

type Dated = Pick<PaymentRow, "id" | "organizationId" | "dueAt" | "expiresAt">;

/** The instant that reminders are relative to; null if there is none. */
export const reminderBase = ({ dueAt, expiresAt }: Pick<PaymentRow, "dueAt" | "expiresAt">): number | null =>
  dueAt ?? expiresAt;

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
  const planned = offsets.map((offsetDays): ReminderRow => {
    const plannedAt = base + offsetDays * dayMs;
    const skippedReason = plannedAt <= ctx.now ? "missed" : null;
    return { paymentId: row.id, offsetDays, plannedAt, sentAt: null, mailId: null, skippedReason };
  });
  await insertReminders(ctx.db, planned);
  await scheduleNext(ctx, row, planned);
  return planned;
}

/** Moves the open reminders of a payment request that hang on its expiry, which has moved. The caller has locked it. */
export async function moveReminders(ctx: WriteContext, row: Dated): Promise<void> {
  if (row.dueAt !== null || row.expiresAt === null) return;
  const moved: ReminderRow[] = [];
  for (const reminder of (await remindersOfOne(ctx.db, row.id)).filter(isOpenReminder)) {
    const plannedAt = row.expiresAt + reminder.offsetDays * dayMs;
    await updateReminder(ctx.db, reminder, { plannedAt });
    moved.push({ ...reminder, plannedAt });
  }
  await scheduleNext(ctx, row, moved);
}

/** Skips the open reminders of a payment request that is paid or canceled for good. The caller has locked it. */
export async function dropReminders(ctx: WriteContext, { id, canceledAt }: PaymentRow): Promise<void> {
  const reason = canceledAt === null ? "payment_already_paid" : "payment_not_payable";
  if ((await skipOpen(ctx.db, id, reason)) > 0) await unschedule(ctx, "payments.remind", id);
}

/** The open reminder that goes next. */
export const nextReminder = (reminders: readonly ReminderRow[]): ReminderRow | undefined =>
  reminders.filter(isOpenReminder).sort((a, b) => a.plannedAt - b.plannedAt)[0];

/** A payment request has one job for all its reminders, due when the next one goes. */
async function scheduleNext(ctx: WriteContext, row: Dated, reminders: readonly ReminderRow[]): Promise<void> {
  const { id: objectId, organizationId } = row;
  const next = nextReminder(reminders);
  if (next) await schedule(ctx, { kind: "payments.remind", organizationId, objectId, runAt: next.plannedAt });
}
