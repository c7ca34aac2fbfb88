// Rows of the audit log. The database refuses to change or delete entries. Personal values beside them can be erased.
import { and, eq, inArray } from "drizzle-orm";
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

/** The values that a field of the subjects had or got in recorded changes. */
export async function formerValues(tx: Tx, subjectIds: readonly string[], field: string): Promise<string[]> {
  const rows = await tx
    .select({ before: auditChanges.before, after: auditChanges.after })
    .from(auditChanges)
    .where(and(inArray(auditChanges.subjectId, [...subjectIds]), eq(auditChanges.field, field)));
  return rows.flatMap(({ before, after }) => [before, after]).filter((value) => value !== null);
}

/** Empties the personal values of a user, an account or a customer in the whole audit log. */
export async function eraseAuditChanges(tx: Tx, subjectId: string): Promise<void> {
  await tx
    .update(auditChanges)
    .set({ before: null, after: null, salt: null })
    .where(eq(auditChanges.subjectId, subjectId));
}
