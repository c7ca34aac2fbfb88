// Rows of known devices: devices that users have signed in from.
import { and, asc, desc, eq, gt, inArray, lte } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { knownDevices } from "@/db/tables";

type DeviceRow = typeof knownDevices.$inferSelect;

/** Whether the device is known for the user and not expired at `now`. */
export async function findDevice(q: Reader, userId: string, hash: string, now: number): Promise<boolean> {
  const [row] = await q
    .select({ hash: knownDevices.hash })
    .from(knownDevices)
    .where(and(eq(knownDevices.userId, userId), eq(knownDevices.hash, hash), gt(knownDevices.expiresAt, now)));
  return row !== undefined;
}

export async function upsertDevice(tx: Tx, row: DeviceRow): Promise<void> {
  const { seenAt, expiresAt } = row;
  await tx
    .insert(knownDevices)
    .values(row)
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.hash], set: { seenAt, expiresAt } });
}

/** Removes all of the user's devices of a kind except the `most` that were seen last. */
export async function keepNewestDevices(tx: Tx, userId: string, kind: DeviceRow["kind"], most: number): Promise<void> {
  const rows = await tx
    .select({ hash: knownDevices.hash })
    .from(knownDevices)
    .where(and(eq(knownDevices.userId, userId), eq(knownDevices.kind, kind)))
    .orderBy(desc(knownDevices.seenAt), asc(knownDevices.hash));
  const surplus = rows.slice(most).map(({ hash }) => hash);
  if (surplus.length === 0) return;
  await tx.delete(knownDevices).where(and(eq(knownDevices.userId, userId), inArray(knownDevices.hash, surplus)));
}

export async function deleteDevices(tx: Tx, userId: string): Promise<void> {
  await tx.delete(knownDevices).where(eq(knownDevices.userId, userId));
}

/** Removes up to `limit` devices that have expired by `now`; returns how many. */
export async function removeExpiredDevices(tx: Tx, now: number, limit: number): Promise<number> {
  const over = await tx
    .select({ userId: knownDevices.userId, hash: knownDevices.hash })
    .from(knownDevices)
    .where(lte(knownDevices.expiresAt, now))
    .orderBy(asc(knownDevices.expiresAt))
    .limit(limit);
  for (const { userId, hash } of over) {
    await tx.delete(knownDevices).where(and(eq(knownDevices.userId, userId), eq(knownDevices.hash, hash)));
  }
  return over.length;
}
