// What goes of sessions: the rows of those long over, and what tells of the person behind those of a removed user.
import { asc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { sessions, sessionTokens, stepUpSums } from "@/db/tables";

/** When a session ended, or runs out if nothing ends it before; an index has it. */
const overSince = sql`coalesce(${sessions.endedAt}, ${sessions.absoluteUntil})`;

/** Removes sessions that ended or ran out by `before` (epoch ms), with their tokens; the number of sessions. */
export async function removeOver(tx: Tx, before: number, limit: number): Promise<number> {
  const over = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(lte(overSince, before))
    .orderBy(asc(overSince))
    .limit(limit);
  if (over.length === 0) return 0;
  const ids = over.map((row) => row.id);
  await tx.delete(sessionTokens).where(inArray(sessionTokens.sessionId, ids));
  await tx.delete(stepUpSums).where(inArray(stepUpSums.sessionId, ids));
  await tx.delete(sessions).where(inArray(sessions.id, ids));
  return ids.length;
}

/** Clears what the user's sessions know of where and with what it signed in, and the words it gave at their end. */
export async function clearClients(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(sessions)
    .set({ ip: null, userAgent: null, deviceId: null, clientVersion: null, endReasonText: null })
    .where(eq(sessions.userId, userId));
}
