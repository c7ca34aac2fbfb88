// Queries of the API keys that are bound to accounts.
import { and, eq, gt, inArray, isNull, or, type SQL } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { accounts, apiKeys } from "@/db/tables";
import { isOwnedBy } from "./store";

interface KeysOf {
  organizationId: string;
  /** One account, or all that a user owns. */
  accounts: { id: string } | { ownerUserId: string };
  /** Only the keys that this user created. */
  createdBy?: string;
}

const unrevoked = (q: Reader, { organizationId, accounts: of, createdBy }: KeysOf, now: number): SQL | undefined =>
  and(
    eq(apiKeys.organizationId, organizationId),
    "id" in of
      ? eq(apiKeys.accountId, of.id)
      : inArray(
          apiKeys.accountId,
          q.select({ id: accounts.id }).from(accounts).where(isOwnedBy(organizationId, of.ownerUserId)),
        ),
    createdBy === undefined ? undefined : eq(apiKeys.createdBy, createdBy),
    // A key that is being replaced has a `revokedAt` in the future.
    or(isNull(apiKeys.revokedAt), gt(apiKeys.revokedAt, now)),
  );

/** Revokes the API keys that are bound to these accounts; returns how many were not revoked before. */
export async function revokeKeysOf(tx: Tx, keys: KeysOf, reason: string, now: number): Promise<number> {
  const rows = await tx
    .update(apiKeys)
    .set({ revokedAt: now, revokeReason: reason })
    .where(unrevoked(tx, keys, now))
    .returning({ id: apiKeys.id });
  return rows.length;
}

/** The number of API keys bound to these accounts that are valid at `now`. */
export const countKeysOf = (q: Reader, keys: KeysOf, now: number): Promise<number> =>
  q.$count(apiKeys, and(unrevoked(q, keys, now), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now))));
