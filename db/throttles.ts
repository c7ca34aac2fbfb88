// Counters in fixed windows that survive a restart and span processes.

import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import { limits } from "../server/kit/limits";
import type { Reader, Tx } from "./client";
import { dialect } from "./dialect";
import { prepared, slot } from "./prepared";
import { throttles } from "./tables";

interface Count {
  count: number;
  /** Epoch milliseconds at which the window ends. */
  resetsAt: number;
}

/**
 * Whether a counter's window has ended. A window that ends later than one opened now was opened by a fast clock. It
 * counts as ended too, so that nobody is locked out for longer than a window.
 */
const isOver = sql`(${throttles.resetsAt} <= ${slot("now")} or ${throttles.resetsAt} > excluded.resets_at + ${limits.clockSkewMs})`;

const raise = prepared("throttles.raise", (tx: Tx) =>
  tx
    .insert(throttles)
    .values({ bucket: slot("bucket"), count: 1, resetsAt: slot("resetsAt") })
    .onConflictDoUpdate({
      target: throttles.bucket,
      set: {
        count: sql`case when ${isOver} then 1 else ${throttles.count} + 1 end`,
        resetsAt: sql`case when ${isOver} then excluded.resets_at else ${throttles.resetsAt} end`,
      },
    })
    .returning({ count: throttles.count, resetsAt: throttles.resetsAt }),
);

/** Increments the counter. The first count after a window has ended opens a new one until `resetsAt` (epoch ms). */
export async function raiseCount(tx: Tx, bucket: string, now: number, resetsAt: number): Promise<Count> {
  const [row] = await raise(tx, { bucket, now, resetsAt });
  if (!row) throw new Error("An upsert returned no row.");
  return row;
}

const renew = prepared("throttles.renew", (tx: Tx) =>
  tx
    .insert(throttles)
    .values({ bucket: slot("bucket"), count: 1, resetsAt: slot("resetsAt") })
    .onConflictDoUpdate({ target: throttles.bucket, set: { count: 1, resetsAt: sql`excluded.resets_at` } }),
);

/** Counts one in a window that ends at `resetsAt` (epoch ms), whatever was counted before. */
export async function renewCount(tx: Tx, bucket: string, resetsAt: number): Promise<void> {
  await renew(tx, { bucket, resetsAt });
}

const read = prepared("throttles.read", (q: Reader) =>
  q
    .select({ count: throttles.count, resetsAt: throttles.resetsAt })
    .from(throttles)
    .where(and(eq(throttles.bucket, slot("bucket")), gt(throttles.resetsAt, slot("now")))),
);

/** The counter's current window; undefined without one. */
export const readCount = async (q: Reader, bucket: string, now: number): Promise<Count | undefined> =>
  (await read(q, { bucket, now }))[0];

const lower = prepared("throttles.lower", (tx: Tx) =>
  tx
    .update(throttles)
    .set({ count: sql`${throttles.count} - 1` })
    .where(
      and(
        eq(throttles.bucket, slot("bucket")),
        gt(throttles.resetsAt, slot("now")),
        lte(throttles.resetsAt, slot("endsBy")),
        gt(throttles.count, 0),
      ),
    ),
);

/** Takes back one count from the current window, if that ends by `endsBy` (epoch ms). */
export async function lowerCount(tx: Tx, bucket: string, now: number, endsBy: number): Promise<void> {
  await lower(tx, { bucket, now, endsBy });
}

/**
 * Removes up to `limit` counters whose windows have ended, and returns their number. Only for a transaction of its own:
 * the order of locks does not cover other transactions' counters, so one that locks more could deadlock.
 */
export async function removeEnded(tx: Tx, now: number, limit: number): Promise<number> {
  const ended = tx
    .select({ bucket: throttles.bucket })
    .from(throttles)
    .where(lte(throttles.resetsAt, now))
    .orderBy(asc(throttles.resetsAt))
    .limit(limit);
  // Skips counters that another transaction is just incrementing.
  const rows = await (dialect === "postgres" ? ended.for("update", { skipLocked: true }) : ended);
  const buckets = rows.map(({ bucket }) => bucket);
  if (buckets.length > 0) await tx.delete(throttles).where(inArray(throttles.bucket, buckets));
  return buckets.length;
}
