// When reminders go: calendar days from a date, at a waking hour of the account that reminds.
import type { Reader } from "@/db/client";
import { type AccountRow, readAccount } from "@/server/domains/accounts/store";
import { offsetAt } from "@/server/kit/day-bounds";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import { instantOf } from "@/server/kit/local-time";
import { timezoneOf } from "./due-date";
import type { PaymentRow } from "./store";

const { hour: defaultHour, wakingHours } = limits.reminders;

/** The part of the day in which an account reminds its customers. */
export interface Waking {
  timezone: string;
  /** The hour at which it begins, 0 to 23. */
  hour: number;
}

/** When the account reminds. */
export const wakingOf = async (q: Reader, account: AccountRow): Promise<Waking> => ({
  timezone: await timezoneOf(q, account),
  hour: account.preferences.reminder_hour ?? defaultHour,
});

/** When the account of the payment request reminds. */
export const wakingFor = async (
  q: Reader,
  { organizationId, accountId }: Pick<PaymentRow, "organizationId" | "accountId">,
): Promise<Waking> => wakingOf(q, await readAccount(q, organizationId, accountId));

/** The instant that reminders are relative to; null if there is none. */
export const reminderBase = ({ dueAt, expiresAt }: Pick<PaymentRow, "dueAt" | "expiresAt">): number | null =>
  dueAt ?? expiresAt;

/** The begin of the day of an instant in the time zone, as epoch ms of the same in UTC. */
const localDay = (at: number, timezone: string): number => Math.floor((at + offsetAt(at, timezone)) / dayMs) * dayMs;

/**
 * When the reminder goes that is planned for so many days after `base`, epoch ms: at the account's hour of that calendar
 * day. One for the day itself, or for an earlier one, goes before `base`: if that is too early in the day, on the day before.
 */
export function reminderAt(base: number, offsetDays: number, { timezone, hour }: Waking): number {
  const onDay = (days: number) => instantOf(localDay(base, timezone) + days * dayMs + hour * hourMs, timezone);
  const at = onDay(offsetDays);
  return offsetDays <= 0 && at >= base ? onDay(offsetDays - 1) : at;
}

/** The first instant from `at` on at which the account reminds: the same one by day, else the next morning. */
export function nextWaking(at: number, { timezone, hour }: Waking): number {
  const timeOfDay = at + offsetAt(at, timezone) - localDay(at, timezone);
  const begin = hour * hourMs;
  const morning = (days: number) => instantOf(localDay(at, timezone) + days * dayMs + begin, timezone);
  if (timeOfDay < begin) return morning(0);
  return timeOfDay < begin + wakingHours * hourMs ? at : morning(1);
}

/** How the date of a payment request lies at `now`: it has passed, it is the current day, or a later one. */
export function dueState(
  { dueAt, expiresAt }: Pick<PaymentRow, "dueAt" | "expiresAt">,
  now: number,
  timezone: string,
): "overdue" | "today" | "later" {
  if (dueAt !== null && dueAt < now) return "overdue";
  const base = dueAt ?? expiresAt;
  return base !== null && localDay(base, timezone) === localDay(now, timezone) ? "today" : "later";
}
