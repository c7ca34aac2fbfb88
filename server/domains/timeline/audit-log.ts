// The audit log as callers see it: names of operations in snake case, actors by name, values where they still exist.
import type { ReadContext } from "@/server/kit/context";
import type { Source } from "@/server/kit/look-through";
import { iso } from "@/server/process/clock";
import { type AuditLogRow, auditSource, type ChangeRow, changesOfEntries, isOnlyOrganization } from "./audit-store";
import type { AuditEntry, AuditFilters } from "./schema";

/** The name of an operation on the wire: `apiKeys.create` as `api_keys.create`. */
export const actionOf = (operation: string): string =>
  operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The operations that have this name on the wire. Those of background work are in snake case already. */
const operationsOf = (action: string): string[] => [
  action,
  action.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
];

type Given = Omit<AuditFilters, "actions"> & { action?: string | undefined };

/**
 * The lists that make up the caller's audit log. What belongs to no organization, such as a sign-in with an unknown
 * address, is shown only while there is no other organization.
 */
export async function auditSources(ctx: ReadContext, { action, ...given }: Given): Promise<Source<AuditLogRow>[]> {
  const filters = { ...given, actions: action === undefined ? undefined : operationsOf(action) };
  const own = auditSource(ctx.db, ctx.scope.organizationId, filters);
  return (await isOnlyOrganization(ctx.db)) ? [own, auditSource(ctx.db, null, filters)] : [own];
}

/** The entries on the wire, in the order of the rows. */
export async function presentEntries(ctx: ReadContext, rows: readonly AuditLogRow[]): Promise<AuditEntry[]> {
  const changed = rows.filter(({ detail }) => "changes" in detail).map(({ id }) => id);
  const changes = await changesOfEntries(ctx.db, changed);
  return rows.map((row) =>
    presentEntry(
      row,
      changes.filter(({ entryId }) => entryId === row.id),
    ),
  );
}

function presentEntry(row: AuditLogRow, changes: readonly ChangeRow[]): AuditEntry {
  const name = row.userRemovedAt === null ? (row.userName ?? row.userEmail ?? row.keyName) : null;
  const values = changes.map(({ field, before, after }) => [field, { before, after }] as const);
  return {
    audit_entry_id: row.id,
    actor: { type: row.actorType, id: row.actorId, name },
    action: actionOf(row.operation),
    target_id: row.targetId,
    detail: values.length === 0 ? row.detail : { ...row.detail, changes: Object.fromEntries(values) },
    ip: row.ip,
    user_agent: row.userAgent,
    request_id: row.requestId,
    created_at: iso(row.createdAt),
  };
}
