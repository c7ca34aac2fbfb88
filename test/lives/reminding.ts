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

/** The dates that reminders are about: those of the installments that are not paid, or the only one. */
function datesOf({ installments, dueAt, expiresAt }: PaymentRow): number[] {
  const date = dueAt ?? expiresAt ?? 0;
  return installments === null ? [date] : installments.map(({ due_at }) => due_at).filter((at) => at >= date);
}

/** When a reminder is to go, as a clock of the account shows it: on the calendar day, at the hour, before the date. */
function plannedFor(date: number, offsetDays: number, { timeZone, hour }: Morning): string {
  const base = shown(date, timeZone);
  const on = (days: number) => `${later(base.slice(0, 10), days)} ${String(hour).padStart(2, "0")}:00`;
  return offsetDays <= 0 && on(offsetDays) >= base ? on(offsetDays - 1) : on(offsetDays);
}

interface Morning {
  timeZone: string;
  hour: number;
}

/** Invariant 37: reminders are planned for a morning, go by day, and what waits is noted. */
function checkMorning(facts: Facts, request: PaymentRow): void {
  const { accounts, reminders } = facts;
  const preferences = accounts.find(({ id }) => id === request.accountId)?.preferences;
  const morning = { timeZone: preferences?.timezone ?? "UTC", hour: preferences?.reminder_hour ?? 9 };
  const own = reminders.filter(({ paymentId }) => paymentId === request.id);
  const open = own.filter(({ sentAt, skippedReason }) => sentAt === null && skippedReason === null);
  for (const { offsetDays, plannedAt } of open) {
    const wanted = datesOf(request).map((date) => plannedFor(date, offsetDays, morning));
    const planned = shown(plannedAt, morning.timeZone);
    must(wanted.includes(planned), "37", `the reminder ${offsetDays} of ${request.id} is planned for ${planned}`);
  }
  checkAhead(facts, request, morning);
  for (const { offsetDays, sentAt } of own) {
    const hour = sentAt === null ? morning.hour : Number(shown(sentAt, morning.timeZone).slice(11, 13));
    const isByDay = hour >= morning.hour && hour < morning.hour + 11;
    must(isByDay, "37", `the reminder ${offsetDays} of ${request.id} went at ${hour} o'clock`);
  }
  const waiting = open.filter(({ waitingUntil }) => waitingUntil !== null).map(({ plannedAt }) => plannedAt);
  const since = waiting.length === 0 ? null : Math.min(...waiting);
  mustEqual(request.reminderWaitsSince, since, "37", `since when a reminder of ${request.id} waits`);
}

/** Invariant 43: a customer who pays no installment gets a reminder of each installment. */
function checkAhead({ reminders, now }: Facts, request: PaymentRow, morning: Morning): void {
  const isWaiting = ["pending", "partially_paid"].includes(request.status);
  if (!isWaiting || request.installments === null) return;
  for (const { offsetDays, sentAt, skippedReason } of reminders.filter(({ paymentId }) => paymentId === request.id)) {
    const isOpen = sentAt === null && skippedReason === null;
    const isAhead = datesOf(request).some(
      (date) => plannedFor(date, offsetDays, morning) > shown(now, morning.timeZone),
    );
    must(isOpen || !isAhead, "43", `no reminder ${offsetDays} of a later installment of ${request.id} is planned`);
  }
}

/** Invariants 10, 20, 21, 37 and 43, for reminders. */
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
