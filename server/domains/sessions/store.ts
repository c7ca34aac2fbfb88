// Rows of sessions. Retention removes the row of an ended session only after a long time.
import { and, asc, eq, gte, inArray, lte, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { prepared, preparedOne, slot } from "@/db/prepared";
import { organizations, sessions, users } from "@/db/tables";

export type SessionRow = typeof sessions.$inferSelect;

const insert = prepared("sessions.insert", (tx: Tx) =>
  tx.insert(sessions).values({
    id: slot("id"),
    userId: slot("userId"),
    organizationId: slot("organizationId"),
    kind: slot("kind"),
    status: "active",
    createdAt: slot("now"),
    authenticatedAt: slot("now"),
    lastSeenAt: slot("now"),
    idleUntil: slot("idleUntil"),
    absoluteUntil: slot("absoluteUntil"),
    ip: slot("ip"),
    userAgent: slot("userAgent"),
    deviceId: slot("deviceId"),
    clientVersion: slot("clientVersion"),
    nonce: slot("nonce"),
  }),
);

/** A session's values at its opening. Instants are epoch ms. */
export interface NewSession {
  id: string;
  userId: string;
  organizationId: string;
  kind: SessionRow["kind"];
  now: number;
  idleUntil: number | null;
  absoluteUntil: number;
  ip: string | null;
  userAgent: string | null;
  deviceId: string | null;
  clientVersion: string | null;
  nonce: string;
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await insert(tx, { ...session });
}

/** The roles of the users of those of the sessions that have not ended. */
export const findActiveRoles = (q: Reader, ids: readonly string[]): Promise<{ id: string; role: string }[]> =>
  q
    .select({ id: sessions.id, role: users.role })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(inArray(sessions.id, [...ids]), eq(sessions.status, "active")));

/** A session of the organization, with its user, the user's account, and who must have a second factor. */
export async function findSession(q: Reader, organizationId: string, id: string) {
  const user = { id: users.id, role: users.role, status: users.status, mfaEnabled: users.mfaEnabled };
  const [row] = await q
    .select({ session: sessions, accountId: users.accountId, user, requireMfa: organizations.requireMfa })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(organizations, eq(organizations.id, sessions.organizationId))
    .where(and(eq(sessions.id, id), eq(sessions.organizationId, organizationId)));
  return row;
}

/** Locks the sessions until the transaction ends. */
export const lockSessions = (tx: Tx, ids: readonly string[]): Promise<void> => lock(tx, sessions, ids);

const activeOfUser = prepared("sessions.active_of_user", (tx: Tx) =>
  tx
    .select({
      id: sessions.id,
      userId: sessions.userId,
      idleUntil: sessions.idleUntil,
      absoluteUntil: sessions.absoluteUntil,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, slot("userId")), eq(sessions.status, "active")))
    .orderBy(asc(sessions.createdAt), asc(sessions.id)),
);

/** The user's sessions that have not been ended, oldest first; they may have expired. */
export const findActiveOfUser = (tx: Tx, userId: string) => activeOfUser(tx, { userId });

/** The ids of these users' sessions that have not been ended. */
export async function findActiveIds(q: Reader, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const rows = await q
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(inArray(sessions.userId, [...userIds]), eq(sessions.status, "active")));
  return rows.map(({ id }) => id);
}

/** Whether a session of the user ended at `since` (epoch ms) or later, for one of the reasons. */
export async function hasEndedSince(
  q: Reader,
  { userId, since, reasons }: { userId: string; since: number; reasons: readonly string[] },
): Promise<boolean> {
  const [row] = await q
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(eq(sessions.userId, userId), gte(sessions.endedAt, since), inArray(sql`${sessions.endReason}`, [...reasons])),
    )
    .limit(1);
  return row !== undefined;
}

/** The ids of up to `limit` of the organization's sessions that have not been ended; they may have expired. */
export async function findActiveInOrganization(q: Reader, organizationId: string, limit: number): Promise<string[]> {
  const rows = await q
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.organizationId, organizationId), eq(sessions.status, "active")))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** The values that ending a session stores. */
export interface Ending {
  endedAt: number;
  endReason: string;
  endReasonText: string | null;
  /** The user or API key that ended it; null for the service itself. */
  endedBy: string | null;
  revokedTokens: number;
}

const endOne = preparedOne("sessions.end", (tx: Tx) =>
  tx
    .update(sessions)
    .set({
      status: "ended",
      endedAt: sql`${slot("endedAt")}`,
      endReason: sql`${slot("endReason")}`,
      endReasonText: sql`${slot("endReasonText")}`,
      endedBy: sql`${slot("endedBy")}`,
      revokedTokens: sql`${slot("revokedTokens")}`,
    })
    .where(and(eq(sessions.id, slot("id")), eq(sessions.status, "active")))
    .returning(),
);

/** Marks a session as ended; undefined if it had already ended. */
export const markEnded = (tx: Tx, id: string, ending: Ending): Promise<SessionRow | undefined> =>
  endOne(tx, { id, ...ending });

/** The changes that a refresh token exchange makes to its session. */
interface Exchange {
  id: string;
  /** The generation before the exchange. */
  generation: number;
  rotated: boolean;
  now: number;
  deviceId: string | null;
  deviceAnomalies: number;
  clientVersion: string | null;
}

const exchange = preparedOne("sessions.exchange", (tx: Tx) =>
  tx
    .update(sessions)
    .set({
      generation: sql`${slot("next")}`,
      exchanges: sql`${sessions.exchanges} + 1`,
      lastSeenAt: sql`${slot("now")}`,
      deviceId: sql`${slot("deviceId")}`,
      deviceAnomalies: sql`${slot("deviceAnomalies")}`,
      clientVersion: sql`${slot("clientVersion")}`,
    })
    .where(and(eq(sessions.id, slot("id")), eq(sessions.generation, slot("generation")), eq(sessions.status, "active")))
    .returning(),
);

/** Counts an exchange; undefined if the session has ended or another exchange came first. */
export function countExchange(tx: Tx, { rotated, ...seen }: Exchange): Promise<SessionRow | undefined> {
  return exchange(tx, { ...seen, next: rotated ? seen.generation + 1 : seen.generation });
}

/** Records when a session was last used and when it now becomes idle. Never moves back in time. */
export async function noteUse(tx: Tx, id: string, now: number, idleUntil: number | null): Promise<void> {
  await tx
    .update(sessions)
    .set({ lastSeenAt: now, idleUntil })
    .where(and(eq(sessions.id, id), eq(sessions.status, "active"), lte(sessions.lastSeenAt, now)));
}

/** When a session ended or will expire. Indexed. */
const endedOrExpiresAt = sql`coalesce(${sessions.endedAt}, ${sessions.absoluteUntil})`;

/** The ids of up to `limit` sessions that ended or expired by `before` (epoch ms), oldest first. */
export async function findEndedOrExpired(tx: Tx, before: number, limit: number): Promise<string[]> {
  const rows = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(lte(endedOrExpiresAt, before))
    .orderBy(asc(endedOrExpiresAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Deletes sessions. The caller has deleted their dependent rows. */
export async function removeSessions(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(sessions).where(inArray(sessions.id, [...ids]));
}

/** Clears the client data of the user's sessions and the reason texts that the user gave. */
export async function clearClients(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(sessions)
    .set({ ip: null, userAgent: null, deviceId: null, clientVersion: null, endReasonText: null })
    .where(eq(sessions.userId, userId));
}
