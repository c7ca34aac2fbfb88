// Revokes API keys together with what they are bound to: a closed account, or the accounts of a removed user.
import type { WriteContext } from "@/server/kit/context";
import { type ApiKeyRow, type KeysOf, revokeAll } from "./store";

/** Revokes the keys that are bound to these accounts; returns how many were not revoked before. */
export async function revokeKeysOf(ctx: WriteContext, keys: KeysOf, reason: string): Promise<number> {
  const rows = await revokeAll(ctx.db, keys, reason, ctx.now);
  for (const row of rows) announceRevocation(ctx, row);
  return rows.length;
}

/** Emits the event of a key that has just been revoked. */
export function announceRevocation(ctx: WriteContext, { id, accountId }: ApiKeyRow): void {
  ctx.emit({ type: "api_key.revoked", object: id, accountId, data: { api_key_id: id, account_id: accountId } });
}
