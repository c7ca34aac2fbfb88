// When something is due that a caller may have dated by a day, and the time zone in which that day ends.
import type { Reader } from "@/db/client";
import type { AccountRow } from "@/server/domains/accounts/authorized-account";
import { organizationById } from "@/server/domains/organizations/organization";
import { endOfDay, startOfDay } from "@/server/kit/day-bounds";

/** The instant in epoch ms: the given one, or the last millisecond of a day in the time zone; null for no such day. */
export function dueInstant(due: number | string, timezone: string): number | null {
  if (typeof due === "number") return due;
  const end = endOfDay(due, timezone);
  return end === null ? null : Date.parse(end) - 1;
}

/** When something happened: an instant as it is, a date as the begin of that day in the time zone; null if it is none. */
export function startInstant(at: number | string | null, timezone: string): number | null {
  if (typeof at !== "string") return at;
  const start = startOfDay(at, timezone);
  return start === null ? null : Date.parse(start);
}

/** The time zone of the account, or else of its organization. */
export const timezoneOf = async (q: Reader, { organizationId, preferences }: AccountRow): Promise<string> =>
  preferences.timezone ?? (await organizationById(q, organizationId)).timezone ?? "UTC";
