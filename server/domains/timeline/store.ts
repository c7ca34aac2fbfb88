// Queries of an object's timeline: its events, and who acted.
import { and, asc, eq, inArray } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { apiKeys, auditEntries, events, users } from "@/db/tables";
import { after, newestFirst, type Position } from "@/server/kit/page";

export type TimelineRow = typeof events.$inferSelect;

/** One page of the events of these objects, newest first. */
export const eventsOf = (
  q: Reader,
  objectIds: readonly string[],
  position: Position | null,
  limit: number,
): Promise<TimelineRow[]> =>
  q
    .select()
    .from(events)
    .where(and(inArray(events.objectId, [...objectIds]), after(events, position)))
    .orderBy(...newestFirst(events))
    .limit(limit);

export interface ActorRow {
  targetId: string | null;
  createdAt: number;
  type: "anonymous" | "user" | "api_key" | "system";
  /** The user's name or address, or the key's name; null if there is none. */
  name: string | null;
}

/** The actors of the audit entries on these objects at these instants. */
export async function actorsAt(
  q: Reader,
  objectIds: readonly string[],
  instants: readonly number[],
): Promise<ActorRow[]> {
  if (instants.length === 0) return [];
  const rows = await q
    .select({
      targetId: auditEntries.targetId,
      createdAt: auditEntries.createdAt,
      type: auditEntries.actorType,
      userName: users.name,
      userEmail: users.email,
      keyName: apiKeys.name,
    })
    .from(auditEntries)
    .leftJoin(users, and(eq(auditEntries.actorType, "user"), eq(users.id, auditEntries.actorId)))
    .leftJoin(apiKeys, and(eq(auditEntries.actorType, "api_key"), eq(apiKeys.id, auditEntries.actorId)))
    .where(and(inArray(auditEntries.targetId, [...objectIds]), inArray(auditEntries.createdAt, [...instants])))
    .orderBy(asc(auditEntries.id));
  return rows.map(({ userName, userEmail, keyName, ...row }) => ({ ...row, name: userName ?? userEmail ?? keyName }));
}
