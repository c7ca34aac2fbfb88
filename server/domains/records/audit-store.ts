// Rows of the audit trail. The database refuses to change or delete them.
import type { Tx } from "@/db/client";
import { prepared, slotsOf } from "@/db/prepared";
import { auditEntries } from "@/db/tables";

export type AuditRow = typeof auditEntries.$inferInsert;

const insert = prepared("audit.insert", (tx: Tx) => tx.insert(auditEntries).values(slotsOf(auditEntries)));

export async function insertAuditEntry(tx: Tx, row: AuditRow): Promise<void> {
  await insert(tx, { ...row });
}
