// Presents API keys on the wire: never a hash, and the secret only in the answer to the call that made it.
import { iso, isoOrNull } from "@/server/process/clock";
import type { ApiKey } from "./schema";
import type { ApiKeyRow } from "./store";

export const presentKey = (row: ApiKeyRow, secret: string | null = null): ApiKey => ({
  api_key_id: row.id,
  name: row.name,
  prefix: row.prefix,
  last4: row.last4,
  scopes: row.scopes,
  account_id: row.accountId,
  ip_allow: row.ipAllow ?? [],
  expires_at: isoOrNull(row.expiresAt),
  last_used_at: isoOrNull(row.lastUsedAt),
  created_by: row.createdBy,
  created_at: iso(row.createdAt),
  revoked_at: isoOrNull(row.revokedAt),
  secret,
});
