// Personal values before and after a change: stored beside the audit entry, which has only their salted hashes.
import { createHash } from "node:crypto";
import type { AuditRecord } from "@/server/kit/context";
import { newNonce } from "@/server/kit/ids";
import type { AuditChangeRow } from "./audit-store";

/**
 * SHA-256 over salt, field and values. Without the salt, which is erased with the values, nobody can test whether a
 * guessed value is the one that was there.
 */
export const hashOfChange = ({ salt, field, before, after }: Omit<AuditChangeRow, "entryId" | "subjectId">): string =>
  createHash("sha256")
    .update(JSON.stringify([salt, field, before, after]))
    .digest("hex");

/** The rows of an entry's personal values, and what the entry's detail says about them. */
export function changesOf(entryId: string, { changes, detail = {} }: AuditRecord) {
  const rows = Object.entries(changes?.values ?? {}).map(([field, [before, after]]) => {
    return { entryId, field, subjectId: changes?.subject ?? "", before, after, salt: newNonce() };
  });
  if (rows.length === 0) return { rows, detail };
  return {
    rows,
    detail: { ...detail, changes: Object.fromEntries(rows.map((row) => [row.field, hashOfChange(row)])) },
  };
}

/** Those of the given values that differ, for {@link AuditRecord.changes}. */
export function changedValues<Field extends string>(
  before: Readonly<Record<Field, string | null>>,
  after: Readonly<Record<Field, string | null>>,
): Record<string, [string | null, string | null]> {
  const fields = (Object.keys(before) as Field[]).filter((field) => before[field] !== after[field]);
  return Object.fromEntries(fields.map((field) => [field, [before[field], after[field]]]));
}
