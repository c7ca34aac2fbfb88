// The selection in a list: single rows of the page, or all records that matched when the reader chose them.
import type { ListQuery } from "./list-query";

/** Single rows; or all matches, identified by the filters and the number of matches when the reader chose them. */
export type Selection = { ids: readonly string[] } | { filters: ListQuery["filters"]; expectedCount: number };

/** What the reader chose: rows by their ids, or all matches by their number. */
export type Picked = ReadonlySet<string> | number;

interface Seen {
  filters: ListQuery["filters"];
  /** All ids on the page. */
  ids: readonly string[];
  /** The current number of matches; null if it was not counted. */
  total: number | null;
}

/** With all matches selected, rows that appeared on the page since are selected too. */
export const selectedRows = (picked: Picked, ids: readonly string[]): ReadonlySet<string> =>
  typeof picked === "number" ? new Set(ids) : picked;

/**
 * The selection; null if nothing is selected. If the number of matches has changed since the reader chose all, only the
 * rows of this page are selected: the reader sees the new number and chooses again.
 */
export function selectionOf(picked: Picked, { filters, ids, total }: Seen): Selection | null {
  if (typeof picked === "number" && picked === total) return { filters, expectedCount: picked };
  const rows = selectedRows(picked, ids);
  return rows.size > 0 ? { ids: [...rows] } : null;
}
