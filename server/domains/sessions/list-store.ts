// Queries that list and count sessions.
import { and, count, eq, gt, inArray, isNull, max, or, type SQL, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { sessions, users } from "@/db/tables";
import type { Scope } from "@/server/kit/context";
import { after, newestFirst, type Position } from "@/server/kit/page";
import type { SessionRow } from "./store";

export interface SessionFilters {
  userId: string | null;
  status: readonly SessionRow["status"][] | undefined;
}

const matching = (scope: Scope, { userId, status }: SessionFilters): SQL | undefined =>
  and(
    eq(sessions.organizationId, scope.organizationId),
    userId === null ? undefined : eq(sessions.userId, userId),
    scope.ownerUserId === null ? undefined : eq(sessions.userId, scope.ownerUserId),
    scope.accountId === null ? undefined : belongsToAccount(scope.accountId),
    status ? inArray(sessions.status, [...status]) : undefined,
  );

const belongsToAccount = (accountId: string): SQL =>
  sql`exists (select 1 from ${users} where ${users.id} = ${sessions.userId} and ${users.accountId} = ${accountId})`;

/** The number of live sessions of the account's users at `now`. */
export const countLiveOfAccount = (q: Reader, accountId: string, now: number): Promise<number> =>
  q.$count(sessions, and(belongsToAccount(accountId), isLive(now)));

/** The number of live sessions of the user at `now`. */
export const countLiveOfUser = (q: Reader, userId: string, now: number): Promise<number> =>
  q.$count(sessions, and(eq(sessions.userId, userId), isLive(now)));

/**
 * When active users of the organization last used a session that is stored, ended or not; a user without one is left
 * out. A user may have any number of ended sessions, so an index finds the latest of them.
 */
export async function lastUses(
  q: Reader,
  { organizationId }: Scope,
  userIds: readonly string[],
): Promise<{ userId: string; at: number }[]> {
  const rows = await q
    .select({ userId: users.id, active: latestUse(q, "active"), ended: latestUse(q, "ended") })
    .from(users)
    .where(and(inArray(users.id, [...userIds]), eq(users.status, "active"), eq(users.organizationId, organizationId)));
  return rows.flatMap(({ userId, active, ended }) =>
    active === null && ended === null ? [] : [{ userId, at: Math.max(active ?? 0, ended ?? 0) }],
  );
}

/** When the selected user last used a session of this status. */
const latestUse = (q: Reader, status: SessionRow["status"]) => {
  // Written out, not a parameter: an engine uses the index of ended sessions only if it sees that they are meant.
  const isOfStatus = sql`${sessions.status} = ${sql.raw(`'${status}'`)}`;
  const uses = q
    .select({ at: max(sessions.lastSeenAt) })
    .from(sessions)
    .where(and(eq(sessions.userId, users.id), isOfStatus));
  return sql<number | null>`(${uses})`.mapWith((at: number | string | null) => (at === null ? null : Number(at)));
};

const isLive = (now: number): SQL | undefined =>
  and(
    eq(sessions.status, "active"),
    gt(sessions.absoluteUntil, now),
    or(isNull(sessions.idleUntil), gt(sessions.idleUntil, now)),
  );

export const listSessions = (
  q: Reader,
  scope: Scope,
  filters: SessionFilters,
  position: Position | null,
  limit: number,
): Promise<SessionRow[]> =>
  q
    .select()
    .from(sessions)
    .where(and(matching(scope, filters), after(sessions, position)))
    .orderBy(...newestFirst(sessions))
    .limit(limit);

export async function countSessions(q: Reader, scope: Scope, filters: SessionFilters): Promise<number> {
  const [row] = await q.select({ total: count() }).from(sessions).where(matching(scope, filters));
  return row?.total ?? 0;
}
