// Queries that list and count sessions.
import { and, count, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { sessions, users } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
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

/** When users last used a session that has not ended; a user without one is left out. */
export const lastUses = (
  q: Reader,
  { organizationId }: Scope,
  userIds: readonly string[],
): Promise<{ userId: string; at: number }[]> =>
  q
    .select({ userId: sessions.userId, at: sql<number>`max(${sessions.lastSeenAt})`.mapWith(Number) })
    .from(sessions)
    .where(
      and(
        inArray(sessions.userId, [...userIds]),
        eq(sessions.status, "active"),
        eq(unindexed(sessions.organizationId), organizationId),
      ),
    )
    .groupBy(sessions.userId);

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
