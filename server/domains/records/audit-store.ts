// Rows of the audit trail. The database refuses to change or delete them.
import type { Tx } from "@/db/client";
import { prepared, slot } from "@/db/prepared";
import { auditEntries } from "@/db/tables";

export type AuditRow = typeof auditEntries.$inferInsert;

const insert = prepared("audit.insert", (tx: Tx) =>
  tx.insert(auditEntries).values({
    id: slot("id"),
    organizationId: slot("organizationId"),
    operation: slot("operation"),
    actorType: slot("actorType"),
    actorId: slot("actorId"),
    targetId: slot("targetId"),
    detail: slot("detail"),
    requestId: slot("requestId"),
    ip: slot("ip"),
    createdAt: slot("createdAt"),
  }),
);

export async function insertAuditEntry(tx: Tx, row: AuditRow): Promise<void> {
  await insert(tx, { ...row });
}
