// Rows of planned reminders. The caller has locked the row of their payment request.
import { and, asc, eq, gt, inArray, isNull, lte, or, type SQL } from "drizzle-orm";
import { touch } from "@/db/changes";
import type { Reader, Tx } from "@/db/client";
import { prepared, slot } from "@/db/prepared";
import type { reminderSkips } from "@/db/schema/values";
import { paymentReminders, payments } from "@/db/tables";

export type ReminderRow = typeof paymentReminders.$inferSelect;
export type ReminderSkip = (typeof reminderSkips)[number];

/** Neither sent nor skipped. */
const isOpen = and(isNull(paymentReminders.sentAt), isNull(paymentReminders.skippedReason));

const ofOne = prepared("payment_reminders.of_payment", (q: Reader) =>
  q
    .select()
    .from(paymentReminders)
    .where(eq(paymentReminders.paymentId, slot("paymentId")))
    .orderBy(asc(paymentReminders.offsetDays)),
);

/** The reminders of a payment request, earliest first. */
export const remindersOfOne = (q: Reader, paymentId: string): Promise<ReminderRow[]> => ofOne(q, { paymentId });

/** The reminders of each payment request, earliest first. */
export async function remindersOf(
  q: Reader,
  paymentIds: readonly string[],
): Promise<(paymentId: string) => ReminderRow[]> {
  if (paymentIds.length === 0) return () => [];
  const rows = await q
    .select()
    .from(paymentReminders)
    .where(inArray(paymentReminders.paymentId, [...paymentIds]))
    .orderBy(asc(paymentReminders.offsetDays));
  return (paymentId) => rows.filter((row) => row.paymentId === paymentId);
}

interface Page {
  /** The account, or the organization with all of its accounts. */
  ownerId: string;
  now: number;
  limit: number;
}

/** The ids of up to `limit` payment requests with open reminders of which this holds, in ascending order. */
async function idsWhere(q: Reader, { ownerId, limit }: Omit<Page, "now">, condition: SQL | undefined) {
  const isOwned = or(eq(payments.accountId, ownerId), eq(payments.organizationId, ownerId));
  const rows = await q
    .selectDistinct({ id: paymentReminders.paymentId })
    .from(paymentReminders)
    .innerJoin(payments, eq(payments.id, paymentReminders.paymentId))
    .where(and(isOwned, isOpen, condition))
    .orderBy(asc(paymentReminders.paymentId))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** The ids of payment requests with reminders planned for after `now`, from the id `after` on. */
export const findPlanned = (q: Reader, { now, after, ...page }: Page & { after: string }): Promise<string[]> =>
  idsWhere(q, page, and(gt(paymentReminders.plannedAt, now), gt(paymentReminders.paymentId, after)));

/** The ids of payment requests with open reminders whose time has come. */
export const findDue = (q: Reader, { now, ...page }: Page): Promise<string[]> =>
  idsWhere(q, page, lte(paymentReminders.plannedAt, now));

export async function insertReminders(tx: Tx, rows: readonly ReminderRow[]): Promise<void> {
  await tx.insert(paymentReminders).values([...rows]);
  await touch(tx, payments, [...new Set(rows.map(({ paymentId }) => paymentId))]);
}

/** Changes a reminder that is still open. */
export async function updateReminder(
  tx: Tx,
  { paymentId, offsetDays }: Pick<ReminderRow, "paymentId" | "offsetDays">,
  change: Partial<Pick<ReminderRow, "plannedAt" | "waitingUntil" | "sentAt" | "mailId" | "skippedReason">>,
): Promise<void> {
  const isIt = and(eq(paymentReminders.paymentId, paymentId), eq(paymentReminders.offsetDays, offsetDays));
  await tx.update(paymentReminders).set(change).where(and(isIt, isOpen));
  await touch(tx, payments, [paymentId]);
}

/** Removes some reminders of a payment request. */
export async function deleteReminders(tx: Tx, paymentId: string, reminders: readonly ReminderRow[]): Promise<void> {
  const days = reminders.map(({ offsetDays }) => offsetDays);
  const isOne = and(eq(paymentReminders.paymentId, paymentId), inArray(paymentReminders.offsetDays, days));
  if (days.length === 0) return;
  await tx.delete(paymentReminders).where(isOne);
  await touch(tx, payments, [paymentId]);
}

/** Skips all open reminders of a payment request. Resolves to their number. */
export async function skipOpen(tx: Tx, paymentId: string, skippedReason: ReminderSkip): Promise<number> {
  const skipped = await tx
    .update(paymentReminders)
    .set({ skippedReason })
    .where(and(eq(paymentReminders.paymentId, paymentId), isOpen))
    .returning({ offsetDays: paymentReminders.offsetDays });
  if (skipped.length > 0) await touch(tx, payments, [paymentId]);
  return skipped.length;
}
