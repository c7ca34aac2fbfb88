// The deadlines of a charge: for its start, its confirmation and its capture, and which clock decides them.
import { limits } from "@/server/kit/limits";

/** The columns that give a charge's age. Both were written when it was recorded. */
interface Recorded {
  createdAt: number;
  startBefore: number | null;
}

/** The time by the database's clock and by this process's clock. Epoch ms. */
interface ClockReadings {
  databaseTime: number;
  now: number;
}

/**
 * Milliseconds since the charge was recorded, by the database's clock, which also set its deadline. Null if that clock
 * cannot tell: what was not charged by card has no deadline, or the clock was set back since.
 */
function ageByDatabase({ startBefore }: Recorded, databaseTime: number): number | null {
  if (startBefore === null) return null;
  const age = databaseTime - (startBefore - limits.charge.startMs);
  return age < 0 ? null : age;
}

/**
 * For how many more milliseconds a charge that its provider does not know may still arrive there; 0 or less once it
 * cannot arrive any more. The last possible call has ended by then, with 10 seconds to spare.
 */
export const mayArriveForMs = (charge: Recorded, { databaseTime, now }: ClockReadings): number =>
  limits.charge.firstLookupMs - (ageByDatabase(charge, databaseTime) ?? now - charge.createdAt);

/**
 * The time to compare with a charge's deadlines: the end of its confirmation and of its authorization hold. What we
 * then do at the provider cannot be undone, so one process's clock does not decide alone: the result is at most the
 * charge's creation time plus its age by the database's clock.
 */
export function timeForDeadlines(charge: Recorded, { databaseTime, now }: ClockReadings): number {
  const age = ageByDatabase(charge, databaseTime);
  return age === null ? now : Math.min(now, charge.createdAt + age);
}
