// What must hold for reminders: each goes once, by day, while its payment request can be paid, or waits, or is skipped.
import { eq, getTableColumns, type SQL } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { paymentReminders, payments } from "@/db/tables";
import type { PaymentRow } from "@/server/domains/payments/store";
import type { Facts } from "./facts";
import { must, mustEqual } from "./violation";

export const remindersWhere = (q: Reader, where: SQL) =>
  q
    .select(getTableColumns(paymentReminders))
    .from(paymentReminders)
    .innerJoin(payments, eq(payments.id, paymentReminders.paymentId))
    .where(where);

/** The statuses in which somebody can be asked to pay. */
const payable = ["pending", "partially_paid", "partially_refunded", "refunded"];

/** What a clock of the zone shows, such as `2026-03-09 09:00`. */
const shown = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(at);

/** The day so many days later, by a calendar without clocks. */
const later = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T12:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** When a reminder is to go, as a clock of the account shows it: on the calendar day, at the hour, before its date. */
function plannedFor(request: PaymentRow, offsetDays: number, { timeZone, hour }: Morning): string {
  const base = shown(request.dueAt ?? request.expiresAt ?? 0, timeZone);
  const on = (days: number) => `${later(base.slice(0, 10), days)} ${String(hour).padStart(2, "0")}:00`;
  return offsetDays <= 0 && on(offsetDays) >= base ? on(offsetDays - 1) : on(offsetDays);
}

interface Morning {
  timeZone: string;
  hour: number;
}

/** Invariant 37: reminders are planned for a morning, go by day, and what waits is noted. */
function checkMorning({ accounts, reminders }: Facts, request: PaymentRow): void {
  const preferences = accounts.find(({ id }) => id === request.accountId)?.preferences;
  const morning = { timeZone: preferences?.timezone ?? "UTC", hour: preferences?.reminder_hour ?? 9 };
  const own = reminders.filter(({ paymentId }) => paymentId === request.id);
  const open = own.filter(({ sentAt, skippedReason }) => sentAt === null && skippedReason === null);
  for (const { offsetDays, plannedAt } of open) {
    const wanted = plannedFor(request, offsetDays, morning);
    mustEqual(shown(plannedAt, morning.timeZone), wanted, "37", `the reminder ${offsetDays} of ${request.id}`);
  }
  for (const { offsetDays, sentAt } of own) {
    const hour = sentAt === null ? morning.hour : Number(shown(sentAt, morning.timeZone).slice(11, 13));
    const isByDay = hour >= morning.hour && hour < morning.hour + 11;
    must(isByDay, "37", `the reminder ${offsetDays} of ${request.id} went at ${hour} o'clock`);
  }
  const waiting = open.filter(({ waitingUntil }) => waitingUntil !== null).map(({ plannedAt }) => plannedAt);
  const since = waiting.length === 0 ? null : Math.min(...waiting);
  mustEqual(request.reminderWaitsSince, since, "37", `since when a reminder of ${request.id} waits`);
}

/** Invariants 10, 20, 21 and 37, for reminders. */
export function checkReminders(facts: Facts): void {
  const { reminders, events, jobs } = facts;
  for (const request of facts.payments) checkMorning(facts, request);
  for (const { paymentId, offsetDays, plannedAt, sentAt, skippedReason } of reminders) {
    const name = `the reminder ${offsetDays} of ${paymentId}`;
    const own = events.filter(
      ({ type, objectId, data }) =>
        type === "payment.reminder_sent" && objectId === paymentId && data.offset_days === offsetDays,
    );
    const sent = own.map(({ createdAt }) => createdAt);
    const request = facts.payments.find(({ id }) => id === paymentId);
    const plan = request?.installments ?? null;
    if (plan === null) mustEqual(sent, sentAt === null ? [] : [sentAt], "10", `${name}: its events`);
    // Reminders are planned again for each installment, and what is kept says when the latest went.
    else must(sent.length <= plan.length, "10", `${name} went ${sent.length} times for ${plan.length} installments`);
    must(sentAt === null || sent.at(-1) === sentAt, "10", `${name} has no event`);
    for (const { data, createdAt } of own) {
      // An advance of the clock carries it out at its own instant, even if others have written at the end by then.
      const end = request?.expiresAt ?? Number.POSITIVE_INFINITY;
      const mayGo = payable.includes(String(data.status)) || (data.status === "expired" && createdAt < end);
      must(mayGo, "20", `${name} went while ${data.status}`);
    }
    must(sentAt === null || sentAt >= plannedAt, "20", `${name} went before its time`);
    // The end of a dispute schedules what was due during it.
    const waits = sentAt === null && skippedReason === null && request?.disputeStatus !== "open";
    const job = jobs.find(({ kind, objectId }) => kind === "payments.remind" && objectId === paymentId);
    must(!waits || job !== undefined, "21", `${name} has no job`);
  }
}
