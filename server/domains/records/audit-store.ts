// Rows of the audit log. The database refuses to change or delete entries. Personal values beside them can be erased.
import { eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { prepared, slotsOf } from "@/db/prepared";
import { auditChanges, auditEntries } from "@/db/tables";

export type AuditRow = typeof auditEntries.$inferInsert;
export type AuditChangeRow = typeof auditChanges.$inferInsert;

const insert = prepared("audit.insert", (tx: Tx) => tx.insert(auditEntries).values(slotsOf(auditEntries)));

/** Inserts an entry, which can never be changed or removed. */
export async function insertAuditEntry(tx: Tx, row: AuditRow): Promise<void> {
  await insert(tx, { ...row });
}

/** Inserts the personal values of an existing entry. */
export async function insertAuditChanges(tx: Tx, rows: AuditChangeRow[]): Promise<void> {
  if (rows.length > 0) await tx.insert(auditChanges).values(rows);
}

/** Empties the personal values of a user or an account in the whole audit log. */
export async function eraseAuditChanges(tx: Tx, subjectId: string): Promise<void> {
  await tx
    .update(auditChanges)
    .set({ before: null, after: null, salt: null })
    .where(eq(auditChanges.subjectId, subjectId));
}
