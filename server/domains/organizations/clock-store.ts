// Rows of the sandbox organizations' clocks.
import { type Column, eq, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { dialect } from "@/db/dialect";
import { preparedOne, slot } from "@/db/prepared";
import { sandboxClocks } from "@/db/tables";

export type ClockRow = typeof sandboxClocks.$inferSelect;

const isOf = eq(sandboxClocks.organizationId, slot("organizationId"));

const byId = preparedOne("sandbox_clocks.by_id", (q: Reader | Tx) => q.select().from(sandboxClocks).where(isOf));

/** The organization's clock; undefined if it has none. */
export const findClock = (q: Reader | Tx, organizationId: string): Promise<ClockRow | undefined> =>
  byId(q, { organizationId });

/** How far the clock of a query's organization is ahead, in milliseconds; null if it has none. */
export function clockOffset(q: Reader, organizationId: Column): SQL<number | null> {
  const found = q.select({ offsetMs: sandboxClocks.offsetMs }).from(sandboxClocks);
  return sql`(${found.where(eq(sandboxClocks.organizationId, organizationId))})`.mapWith(Number);
}

const kept = preparedOne("sandbox_clocks.kept", (tx: Tx) => {
  const found = tx.select().from(sandboxClocks).where(isOf);
  return dialect === "postgres" ? found.for("share") : found;
});

/** The same, which nobody moves until the transaction ends. */
export const keepClock = (tx: Tx, organizationId: string): Promise<ClockRow | undefined> =>
  kept(tx, { organizationId });

/** Gives a new sandbox organization its clock, which shows the real time. */
export async function insertClock(tx: Tx, organizationId: string): Promise<void> {
  await tx.insert(sandboxClocks).values({ organizationId });
}

/** Locks the organization's clock until the transaction ends: no write that reads it has begun and not committed. */
export async function lockClock(tx: Tx, organizationId: string): Promise<ClockRow | undefined> {
  const found = tx.select().from(sandboxClocks).where(eq(sandboxClocks.organizationId, organizationId));
  const [row] = await (dialect === "postgres" ? found.for("update") : found);
  return row;
}

/** Changes a clock that the caller has locked. */
export async function updateClock(tx: Tx, { organizationId, ...change }: ClockRow): Promise<void> {
  await tx.update(sandboxClocks).set(change).where(eq(sandboxClocks.organizationId, organizationId));
}
