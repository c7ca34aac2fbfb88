// Presents users on the wire: never a hash, never a secret.
import { iso, isoOrNull } from "@/server/process/clock";
import type { User } from "./schema";
import type { UserRow } from "./store";

export const presentUser = (row: UserRow): User => ({
  user_id: row.id,
  organization_id: row.organizationId,
  account_id: row.accountId,
  email: row.email,
  email_verified_at: isoOrNull(row.emailVerifiedAt),
  name: row.name,
  role: row.role,
  status: row.status,
  locale: row.locale,
  timezone: row.timezone,
  mfa_enabled: row.mfaEnabled,
  created_at: iso(row.createdAt),
  last_login_at: isoOrNull(row.lastLoginAt),
});
