// The times of a charge: until when it may begin, be confirmed and be captured, and by whose clock.
import { dayMs } from "@/server/kit/limits";

/** How long after the end of an authorization a capture that was decided before it is still tried. */
export const captureTriesMs = dayMs;

/** A charge is begun at its provider within this long of being recorded, or never. */
export const startWithinMs = 10_000;

/** What a provider has not answered by then is asked about: later than any call to it can begin and take. */
export const firstLookupMs = 30_000;

/** A charge as far as its age matters. Both instants were written when it was recorded. */
interface Recorded {
  createdAt: number;
  startBefore: number | null;
}

/** The present, by the database's clock and by this process's. Epoch ms. */
export interface Present {
  databaseTime: number;
  now: number;
}

/**
 * Milliseconds since the charge was recorded, by the database's clock, which wrote its deadline. Null where that clock
 * cannot tell: an older version wrote no deadline, or the clock was set back since.
 */
function ageByDatabase({ startBefore }: Recorded, databaseTime: number): number | null {
  if (startBefore === null) return null;
  const age = databaseTime - (startBefore - startWithinMs);
  return age < 0 ? null : age;
}

/**
 * For how many milliseconds a charge that its provider does not know may still be made; 0 or less once it was never
 * made. Its last possible call is over by then, with 10 seconds to spare.
 */
export const mayBeMadeFor = (charge: Recorded, { databaseTime, now }: Present): number =>
  firstLookupMs - (ageByDatabase(charge, databaseTime) ?? now - charge.createdAt);

/**
 * The instant against which the times of a charge are held: when its confirmation ends, when its hold does. What is done
 * then at the provider cannot be undone, so the clock of one process does not decide it alone: the present is no later
 * than the time since the charge was recorded says, by the database's clock.
 */
export function presentOf(charge: Recorded, { databaseTime, now }: Present): number {
  const age = ageByDatabase(charge, databaseTime);
  return age === null ? now : Math.min(now, charge.createdAt + age);
}

/** How long a payer may take to confirm an attempt; then it is given up. */
export const challengeMs = 15 * 60_000;
