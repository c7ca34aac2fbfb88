// Rows of the money that dashboard sessions moved in the last hour.
import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { dialect } from "@/db/dialect";
import { stepUpSums } from "@/db/tables";

type Moves = (typeof stepUpSums.$inferSelect)["moves"];

const ofSession = (sessionId: string, currency: string) =>
  and(eq(stepUpSums.sessionId, sessionId), eq(stepUpSums.currency, currency));

/** The session's moves in a currency, locked until the transaction ends: other moves of the session wait. */
export async function lockMoves(tx: Tx, sessionId: string, currency: string): Promise<Moves> {
  await tx.insert(stepUpSums).values({ sessionId, currency, moves: [] }).onConflictDoNothing();
  const query = tx.select().from(stepUpSums).where(ofSession(sessionId, currency));
  const [row] = await (dialect === "postgres" ? query.for("update") : query);
  return row?.moves ?? [];
}

export async function saveMoves(tx: Tx, sessionId: string, currency: string, moves: Moves): Promise<void> {
  await tx.update(stepUpSums).set({ moves }).where(ofSession(sessionId, currency));
}

/** Removes the moves of these sessions. */
export async function removeMovesOf(tx: Tx, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length > 0) await tx.delete(stepUpSums).where(inArray(stepUpSums.sessionId, [...sessionIds]));
}
