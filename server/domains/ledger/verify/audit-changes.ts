// Proof of the personal values beside audit entries: those that have not been erased are the ones that were written.
import { createHash } from "node:crypto";
import { expectThat } from "./fault";
import { everyRow, type Row, type Snapshot } from "./snapshot-store";

const entriesQuery = `
  select id, cast(detail as text) as detail from audit_entries
  where id > ? and cast(detail as text) like '%"changes":%' order by id`;
const valuesQuery = `
  select c.*, e.id as entry_found from audit_changes c left join audit_entries e on e.id = c.entry_id
  where (c.entry_id, c.field) > (?, ?) order by c.entry_id, c.field`;

/** Proves that every entry has the values that it names, given that the entries are sound. */
export async function proveAuditChanges(snapshot: Snapshot): Promise<void> {
  const values = everyRow(snapshot, valuesQuery, ["", ""], (row) => [row.entry_id ?? "", row.field ?? ""]);
  let next = await values.next();
  for await (const entry of everyRow(snapshot, entriesQuery, [""], (row) => [row.id ?? ""])) {
    const expected = new Map(Object.entries(changesIn(entry)));
    for (; !next.done && String(next.value.entry_id) <= String(entry.id); next = await values.next()) {
      const { field } = next.value;
      const hash = next.value.entry_id === entry.id ? expected.get(String(field)) : undefined;
      expectThat(hash !== undefined, placeOf(next.value), `The entry names no change of ${field}.`);
      const isSound = isErased(next.value) || hashOf(next.value) === hash;
      expectThat(isSound, placeOf(next.value), `The values of ${field} were changed: the hash does not match.`);
      expected.delete(String(field));
    }
    const [field] = expected.keys();
    const at = { check: "audit_entry", auditEntryId: String(entry.id) } as const;
    expectThat(field === undefined, at, `The values of ${field} are missing.`);
  }
  if (!next.done) expectThat(false, placeOf(next.value), `The entry names no change of ${next.value.field}.`);
}

const placeOf = (row: Row) => ({ check: "audit_entry", auditEntryId: String(row.entry_id) }) as const;

/** The hash of each field's values, as the entry's detail has it. */
function changesIn(entry: Row): Record<string, unknown> {
  const { changes } = JSON.parse(String(entry.detail)) as { changes?: unknown };
  return changes !== null && typeof changes === "object" ? (changes as Record<string, unknown>) : {};
}

const isErased = ({ salt, before, after }: Row): boolean => salt === null && before === null && after === null;

const hashOf = ({ salt, field, before, after }: Row): string =>
  createHash("sha256")
    .update(JSON.stringify([salt, field, before, after]), "utf8")
    .digest("hex");
