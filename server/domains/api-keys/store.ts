// Rows of API keys. A revoked key keeps its row, for the audit log.
import { and, eq, getTableColumns, gt, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { prepared, preparedOne, slot, withinBudget } from "@/db/prepared";
import { accounts, apiKeys, users } from "@/db/tables";
import { adminRoles } from "@/server/access/may";
import { isOwnedBy } from "@/server/domains/accounts/store";
import { clockOffset } from "@/server/domains/organizations/clock-store";
import type { Scope } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
import type { Source, Stretch } from "@/server/kit/look-through";
import { after, downTo, newestFirst } from "@/server/kit/page";

export type ApiKeyRow = typeof apiKeys.$inferSelect;
type NewApiKeyRow = typeof apiKeys.$inferInsert;

const byHash = preparedOne("api_keys.by_hash", (q: Reader) =>
  q
    .select({
      id: apiKeys.id,
      organizationId: apiKeys.organizationId,
      accountId: apiKeys.accountId,
      hash: apiKeys.hash,
      scopes: apiKeys.scopes,
      ipAllow: apiKeys.ipAllow,
      previousUntil: apiKeys.previousUntil,
      lastUsedAt: apiKeys.lastUsedAt,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      clockOffsetMs: clockOffset(q, apiKeys.organizationId),
    })
    .from(apiKeys)
    .where(or(eq(apiKeys.hash, slot("hash")), eq(apiKeys.previousHash, slot("hash")))),
);

/** The API key behind a secret's hash, and whether it is the previous secret. */
export async function findByHash(q: Reader, hash: string) {
  const row = await byHash(q, { hash });
  return row && { ...row, isPrevious: row.hash !== hash };
}

const noted = prepared("api_keys.note_use", (tx: Tx) =>
  tx
    .update(apiKeys)
    .set({ lastUsedAt: sql`${slot("now")}` })
    .where(and(eq(apiKeys.id, slot("id")), or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, slot("now"))))),
);

/** Records that the key was used at `now` (epoch ms). */
export async function noteKeyUse(tx: Tx, id: string, now: number): Promise<void> {
  await noted(tx, { id, now });
}

/** Whether the organization's key is neither revoked nor expired at `now` (epoch ms). */
export async function isKeyLive(q: Reader, organizationId: string, id: string, now: number): Promise<boolean> {
  const isUnexpired = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now));
  const live = and(eq(apiKeys.organizationId, organizationId), isNull(apiKeys.revokedAt), isUnexpired);
  return (await q.$count(apiKeys, and(eq(apiKeys.id, id), live))) > 0;
}

/** Those of the keys that have not been revoked. Ids in any number. */
export async function findLiveKeyIds(q: Reader, ids: readonly string[]): Promise<string[]> {
  const rows = await q
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(inArray(apiKeys.id, [...ids]), isNull(apiKeys.revokedAt)));
  return rows.map(({ id }) => id);
}

/** One of the organization's keys. */
export async function findKey(q: Reader, organizationId: string, id: string): Promise<ApiKeyRow | undefined> {
  const [row] = await q
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.organizationId, organizationId)));
  return row;
}

/** The number of the organization's keys that have not been revoked. */
export const countUnrevoked = (q: Reader, organizationId: string): Promise<number> =>
  q.$count(apiKeys, and(eq(apiKeys.organizationId, organizationId), isNull(apiKeys.revokedAt)));

export async function insertKey(tx: Tx, row: NewApiKeyRow): Promise<ApiKeyRow> {
  const [inserted] = await tx.insert(apiKeys).values(row).returning();
  if (!inserted) throw new Error("The API key was not inserted.");
  return inserted;
}

/** The organization's key that has not been revoked, locked until the transaction ends. */
export async function lockKey(tx: Tx, organizationId: string, id: string): Promise<ApiKeyRow | undefined> {
  if (!isId("key", id)) return undefined;
  await lock(tx, apiKeys, [id]);
  const [row] = await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.organizationId, organizationId), isNull(apiKeys.revokedAt)));
  return row;
}

/** Changes a key that the caller has locked. */
export async function updateKey(tx: Tx, id: string, changes: Partial<NewApiKeyRow>): Promise<ApiKeyRow> {
  const [updated] = await tx.update(apiKeys).set(changes).where(eq(apiKeys.id, id)).returning();
  if (!updated) throw new Error(`The API key ${id} is gone.`);
  return updated;
}

/** The keys that are bound to one account, or to any that a user owns. */
export interface KeysOf {
  organizationId: string;
  accounts: { id: string } | { ownerUserId: string };
  /** Only the keys that this user created. */
  createdBy?: string;
}

const unrevoked = (q: Reader, { organizationId, accounts: of, createdBy }: KeysOf): SQL | undefined =>
  and(
    eq(apiKeys.organizationId, organizationId),
    "id" in of
      ? eq(apiKeys.accountId, of.id)
      : inArray(
          apiKeys.accountId,
          q.select({ id: accounts.id }).from(accounts).where(isOwnedBy(organizationId, of.ownerUserId)),
        ),
    createdBy === undefined ? undefined : eq(apiKeys.createdBy, createdBy),
    isNull(apiKeys.revokedAt),
  );

/** The columns of a revoked key: neither secret works. */
const revoked = (reason: string, now: number) => ({
  ...{ revokedAt: now, revokeReason: reason },
  ...{ previousHash: null, previousUntil: null },
});

/** Revokes these keys with both secrets; returns those that were not revoked before. */
export const revokeAll = (tx: Tx, keys: KeysOf, reason: string, now: number): Promise<ApiKeyRow[]> =>
  tx.update(apiKeys).set(revoked(reason, now)).where(unrevoked(tx, keys)).returning();

/** The organization's keys whose current secret this user made, and so knows. */
const madeBy = (organizationId: string, userId: string): SQL | undefined =>
  and(
    eq(apiKeys.organizationId, organizationId),
    sql`coalesce(${apiKeys.rotatedBy}, ${apiKeys.createdBy}) = ${userId}`,
    isNull(apiKeys.revokedAt),
  );

/** Revokes the keys whose current secret this user made; returns them. */
export const revokeMadeBy = (tx: Tx, organizationId: string, userId: string, reason: string, now: number) =>
  tx.update(apiKeys).set(revoked(reason, now)).where(madeBy(organizationId, userId)).returning();

/** Ends the previous secrets that this user made of keys that others have rotated since. */
export async function endPreviousOf(tx: Tx, organizationId: string, userId: string): Promise<void> {
  await tx
    .update(apiKeys)
    .set({ previousHash: null, previousBy: null, previousUntil: null })
    .where(and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.previousBy, userId)));
}

/** The number of keys valid at `now` whose current secret this user made. */
export const countMadeBy = (q: Reader, organizationId: string, userId: string, now: number): Promise<number> =>
  q.$count(apiKeys, and(madeBy(organizationId, userId), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now))));

/** The number of these keys that are valid at `now`. */
export const countKeysOf = (q: Reader, keys: KeysOf, now: number): Promise<number> =>
  q.$count(apiKeys, and(unrevoked(q, keys), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now))));

/** The organization's keys, revoked ones included. */
export function keySource(q: Reader, { organizationId }: Scope): Source<ApiKeyRow> {
  const within = ({ after: position, until }: Stretch) =>
    and(eq(apiKeys.organizationId, organizationId), after(apiKeys, position), downTo(apiKeys, until));
  return {
    matchesAll: true,
    rows: (stretch, limit, budget) =>
      withinBudget<ApiKeyRow[]>(
        q
          .select(getTableColumns(apiKeys))
          .from(apiKeys)
          .where(within(stretch))
          .orderBy(...newestFirst(apiKeys))
          .limit(limit),
        budget,
      ),
    count: (stretch) => q.$count(apiKeys, within(stretch)),
  };
}

/** A former admin: demoted, or removed. */
const isNoAdmin = sql`(u.role not in ${adminRoles} or u.removed_at is not null)`;

/**
 * Whether a former admin may know a secret that works at `now`: the maker of the current one, unless removed before it
 * was made, or the maker of the previous one while it still works.
 */
const isLeftBehind = (now: number): SQL => sql`exists (
  select 1 from ${users} u where ${isNoAdmin} and (
    (u.id = coalesce(${apiKeys.rotatedBy}, ${apiKeys.createdBy})
      and coalesce(${apiKeys.rotatedAt}, ${apiKeys.createdAt}) <= coalesce(u.removed_at, ${now}))
    or (u.id = ${apiKeys.previousBy} and ${apiKeys.previousUntil} > ${now})))`;

/** What people want to know of a key besides its row: names, and whether a former admin may know a secret. */
const withNames = (q: Reader, now: number) =>
  q
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      accountName: accounts.name,
      creatorName: users.name,
      creatorRemovedAt: users.removedAt,
      /** 1 or 0. */
      leftBehind: sql<number>`case when ${isLeftBehind(now)} then 1 else 0 end`,
      previousUntil: apiKeys.previousUntil,
    })
    .from(apiKeys)
    .leftJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .leftJoin(users, eq(users.id, apiKeys.createdBy));

export type NamedKey = Awaited<ReturnType<typeof findNamed>>[number];

/** Those of the keys that the organization has. */
export const findNamed = (q: Reader, { organizationId }: Scope, now: number, ids: readonly string[]) =>
  withNames(q, now).where(and(inArray(apiKeys.id, [...ids]), eq(apiKeys.organizationId, organizationId)));

/** Up to `limit` live keys with a secret that a former admin may know, oldest first. */
export const findLeftBehind = (q: Reader, { organizationId }: Scope, now: number, limit: number) =>
  withNames(q, now)
    .where(
      and(
        eq(apiKeys.organizationId, organizationId),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
        isLeftBehind(now),
      ),
    )
    .orderBy(apiKeys.createdAt, apiKeys.id)
    .limit(limit);
