// What is selected in a list: single rows of the page, or all that matched when the reader decided so.
import type { ListQuery } from "./list-query";

/** Single rows, or all that match: then what they match and how many there were when the reader decided. */
export type Selection = { ids: readonly string[] } | { filters: ListQuery["filters"]; expectedCount: number };

/** What the reader picked: rows by their ids, or all, of which there were so many. */
export type Picked = ReadonlySet<string> | number;

interface Seen {
  filters: ListQuery["filters"];
  /** All ids of the page. */
  ids: readonly string[];
  /** How many match now; null if that was not counted. */
  total: number | null;
}

/** Of all that match, also rows that came to the page since are selected. */
export const selectedRows = (picked: Picked, ids: readonly string[]): ReadonlySet<string> =>
  typeof picked === "number" ? new Set(ids) : picked;

/**
 * The selection; null where nothing is selected. Once another number matches than when the reader chose all, only the
 * rows in sight are: the reader sees the new number and chooses again.
 */
export function selectionOf(picked: Picked, { filters, ids, total }: Seen): Selection | null {
  if (typeof picked === "number" && picked === total) return { filters, expectedCount: picked };
  const rows = selectedRows(picked, ids);
  return rows.size > 0 ? { ids: [...rows] } : null;
}
