// Words for the codes in audit entries, such as statuses, roles and outcomes.

/** The fields of entries whose values are codes. Others may have any text, which is shown as it is. */
const coded: readonly string[] = [
  ...["status", "previous_status", "outcome", "found", "released", "role", "type", "reason", "refused"],
];

/** The catalogs' words for a code; undefined for what has none. */
type Words = (code: string) => string | undefined;

/** A value of a field in words: those of the audit log, else those of statuses; the code itself without either. */
export function wordOfValue(field: string, value: string, own: Words, status: Words): string {
  if (!coded.includes(field)) return value;
  return own(value) ?? (field === "reason" ? undefined : status(value)) ?? value;
}
