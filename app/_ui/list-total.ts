// How many records match, as a list operation says it.

/** The number of matches, and whether it is an estimate. */
export interface ListTotal {
  count: number;
  isEstimate: boolean;
}

interface Counted {
  total_count: number | null;
  total_is_estimate: boolean | null;
}

/** The total of a page; null if it was not counted. */
export const totalOf = ({ total_count: count, total_is_estimate: isEstimate }: Counted): ListTotal | null =>
  count === null ? null : { count, isEstimate: isEstimate === true };
