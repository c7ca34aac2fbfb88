// Revokes API keys together with what they are bound to, or with the rights of the admin who made them.
import type { WriteContext } from "@/server/kit/context";
import { type ApiKeyRow, endPreviousOf, type KeysOf, revokeAll, revokeMadeBy } from "./store";

/** Revokes the keys that are bound to these accounts; returns how many were not revoked before. */
export async function revokeKeysOf(ctx: WriteContext, keys: KeysOf, reason: string): Promise<number> {
  const rows = await revokeAll(ctx.db, keys, reason, ctx.now);
  for (const row of rows) announceRevocation(ctx, row);
  return rows.length;
}

/**
 * Ends every secret that a former admin made: revokes the keys whose current one it is, and ends it where it is the
 * previous one. Returns how many keys were revoked.
 */
export async function revokeKeysMadeBy(ctx: WriteContext, userId: string, reason: string): Promise<number> {
  const { organizationId } = ctx.scope;
  const rows = await revokeMadeBy(ctx.db, organizationId, userId, reason, ctx.now);
  for (const row of rows) announceRevocation(ctx, row);
  await endPreviousOf(ctx.db, organizationId, userId);
  return rows.length;
}

/** Emits the event of a key that has just been revoked. */
export function announceRevocation(ctx: WriteContext, { id, accountId }: ApiKeyRow): void {
  ctx.emit({ type: "api_key.revoked", object: id, accountId, data: { api_key_id: id, account_id: accountId } });
}
