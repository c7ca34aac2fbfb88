// Finds what was decided before a clock moves.
import { and, eq, isNotNull } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { transactions } from "@/db/tables";
import { limits } from "@/server/kit/limits";

/** The ids of the organization's authorizations whose capture was decided and is not confirmed. */
export async function decidedCaptures(tx: Tx, organizationId: string): Promise<string[]> {
  const isHeld = and(eq(transactions.organizationId, organizationId), eq(transactions.status, "authorized"));
  const rows = await tx
    .select({ id: transactions.id })
    .from(transactions)
    .where(and(isHeld, isNotNull(transactions.captureRequested)))
    .limit(limits.sandboxClock.moved);
  return rows.map(({ id }) => id);
}
