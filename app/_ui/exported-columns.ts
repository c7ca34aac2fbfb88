// The columns of a list's export.

/** Those of `always`, then for each shown column of the list, in its order, those of the file, without duplicates. */
export function exportedColumns<Column extends string>(
  exported: Readonly<Record<string, readonly Column[]>>,
  always: readonly Column[],
  shown: readonly string[],
): Column[] {
  const known = Object.keys(exported).filter((key) => shown.includes(key));
  return [...new Set([...always, ...known.flatMap((key) => exported[key] ?? [])])];
}
