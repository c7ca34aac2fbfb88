// Throttles against guessing: counted in the database before the work, and given back after a success.
import { createHash } from "node:crypto";
import type { Reader, Tx } from "@/db/client";
import { lowerCount, raiseCount, readCount, removeEnded } from "@/db/throttles";
import { throttled } from "@/server/kit/errors";
import { addressBlock } from "@/server/kit/peer";
import type { Runtime } from "@/server/process/runtime";

/** At most `limit` per window of `windowMs`. The first count opens the window; nothing prolongs it. */
export interface Throttle {
  readonly bucket: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** The name of a counter for one subject. The subject is hashed, so counters contain no personal data. */
export const bucketOf = (purpose: string, subject: string): string =>
  `${purpose}:${createHash("sha256").update(subject).digest("hex").slice(0, 32)}`;

/** The name of a counter for a caller's address. IPv6 addresses count by /64. */
export const addressBucketOf = (purpose: string, address: string | null): string =>
  `${purpose}:${addressBlock(address)}`;

/**
 * Counts one in each throttle. Refuses with 429 `rate_limited` if one is full; then none is counted, because the
 * refusal rolls back the transaction. Counting comes before the work, so that concurrent attempts cannot exceed the
 * limit.
 */
export async function reserve(tx: Tx, now: number, throttles: readonly Throttle[]): Promise<void> {
  const seconds = await secondsToWait(tx, now, throttles);
  if (seconds !== null) throw throttled(seconds);
}

/** Counts one in each throttle. If one is full, counts in none and returns the seconds until its window ends. */
export async function secondsToWait(tx: Tx, now: number, throttles: readonly Throttle[]): Promise<number | null> {
  const counted: Throttle[] = [];
  for (const throttle of inOrder(throttles)) {
    const { bucket, limit, windowMs } = throttle;
    const { count, resetsAt } = await raiseCount(tx, bucket, now, now + windowMs);
    counted.push(throttle);
    if (count <= limit) continue;
    await giveBack(tx, now, counted);
    // A call that read its clock before the window opened must not be told to wait longer than the window.
    return Math.max(1, Math.ceil(Math.min(resetsAt - now, windowMs) / 1000));
  }
  return null;
}

/** Whether one more count would exceed the limit. Counts nothing. */
export async function isFull(tx: Tx, now: number, throttle: Throttle): Promise<boolean> {
  if ((await secondsToWait(tx, now, [throttle])) !== null) return true;
  await giveBack(tx, now, [throttle]);
  return false;
}

/** When the window of a throttle that is full ends, epoch ms; null if it takes one more. Only reads. */
export async function fullUntil(q: Reader, now: number, { bucket, limit, windowMs }: Throttle): Promise<number | null> {
  const found = await readCount(q, bucket, now);
  return found && found.count >= limit ? Math.min(found.resetsAt, now + windowMs) : null;
}

/**
 * Takes back what was counted: after a success, or because nothing was done. What was counted earlier, at `countedAt`
 * (epoch ms), is taken back only from windows that were open then.
 */
export async function giveBack(
  tx: Tx,
  now: number,
  throttles: readonly Throttle[],
  countedAt: number | null = null,
): Promise<void> {
  for (const { bucket, windowMs } of inOrder(throttles)) {
    await lowerCount(tx, bucket, now, countedAt === null ? Number.MAX_SAFE_INTEGER : countedAt + windowMs);
  }
}

/** Removes up to `limit` counters whose windows have ended; returns how many. */
export const removeEndedCounts = ({ db, clock }: Pick<Runtime, "db" | "clock">, limit: number): Promise<number> =>
  db.write((tx) => removeEnded(tx, clock.now(), limit));

/** Always the same order, so that two transactions never deadlock. */
const inOrder = (throttles: readonly Throttle[]): Throttle[] =>
  [...throttles].sort((a, b) => (a.bucket < b.bucket ? -1 : 1));
