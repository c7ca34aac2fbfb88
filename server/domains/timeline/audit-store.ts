// Queries of the audit log: an organization's entries, the names of their actors, and the personal values beside them.
import { and, eq, getTableColumns, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { withinBudget } from "@/db/prepared";
import { sampleOf } from "@/db/sample";
import { apiKeys, auditChanges, auditEntries, organizations, users } from "@/db/tables";
import type { Source, Stretch } from "@/server/kit/look-through";
import { after, downTo, newestFirst } from "@/server/kit/page";
import type { AuditFilters } from "./schema";

const columns = {
  ...getTableColumns(auditEntries),
  userName: users.name,
  userEmail: users.email,
  userRemovedAt: users.removedAt,
  keyName: apiKeys.name,
};

export type AuditLogRow = typeof auditEntries.$inferSelect & {
  userName: string | null;
  userEmail: string | null;
  userRemovedAt: number | null;
  keyName: string | null;
};

function matching(filters: AuditFilters): SQL | undefined {
  const { actor_id: actorId, actions, target_id: targetId, created_from: from, created_to: to, q } = filters;
  return and(
    actorId === undefined ? undefined : eq(auditEntries.actorId, actorId),
    actions && inArray(auditEntries.operation, [...actions]),
    targetId === undefined ? undefined : eq(auditEntries.targetId, targetId),
    from === undefined ? undefined : sql`${auditEntries.createdAt} >= ${from}`,
    to === undefined ? undefined : sql`${auditEntries.createdAt} < ${to}`,
    q === undefined ? undefined : searched(q.trim()),
  );
}

/** A full id, an address, or the beginning of an operation's name in either spelling. */
function searched(text: string): SQL | undefined {
  const { id, actorId, targetId, requestId, ip, operation } = auditEntries;
  const name = text.replaceAll("_", "").toLowerCase();
  return or(
    ...[id, actorId, targetId, requestId, ip].map((column) => eq(column, text)),
    name === "" ? undefined : sql`substr(replace(lower(${operation}), '_', ''), 1, ${name.length}) = ${name}`,
  );
}

/** The matching entries of the organization; with null, those that belong to none. */
export function auditSource(q: Reader, organizationId: string | null, filters: AuditFilters): Source<AuditLogRow> {
  const own =
    organizationId === null ? isNull(auditEntries.organizationId) : eq(auditEntries.organizationId, organizationId);
  const within = ({ after: position, until }: Stretch) =>
    and(own, matching(filters), after(auditEntries, position), downTo(auditEntries, until));
  const { createdAt, id } = auditEntries;
  return {
    sample: sampleOf(q, auditEntries, { scope: own, matching: matching(filters) }),
    async edge(position, size) {
      const [row] = await q
        .select({ createdAt, id })
        .from(auditEntries)
        .where(and(own, after(auditEntries, position)))
        .orderBy(...newestFirst(auditEntries))
        .limit(1)
        .offset(size - 1);
      return row ?? null;
    },
    rows: (stretch, limit, budget) =>
      withinBudget<AuditLogRow[]>(
        q
          .select(columns)
          .from(auditEntries)
          .leftJoin(users, and(eq(auditEntries.actorType, "user"), eq(users.id, auditEntries.actorId)))
          .leftJoin(apiKeys, and(eq(auditEntries.actorType, "api_key"), eq(apiKeys.id, auditEntries.actorId)))
          .where(within(stretch))
          .orderBy(...newestFirst(auditEntries))
          .limit(limit),
        budget,
      ),
    count: (stretch) => q.$count(auditEntries, within(stretch)),
  };
}

/** Whether the instance has no other organization, so that what belongs to none concerns this one. */
export async function isOnlyOrganization(q: Reader): Promise<boolean> {
  const rows = await q.select({ id: organizations.id }).from(organizations).limit(2);
  return rows.length < 2;
}

export type ChangeRow = typeof auditChanges.$inferSelect;

/** The personal values of these entries. */
export async function changesOfEntries(q: Reader, entryIds: readonly string[]): Promise<ChangeRow[]> {
  if (entryIds.length === 0) return [];
  return q
    .select()
    .from(auditChanges)
    .where(inArray(auditChanges.entryId, [...entryIds]));
}
