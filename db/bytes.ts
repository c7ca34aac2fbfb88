// How much of what a query finds may be held at once, in bytes of stored text.

/** How many bytes of rows a query may read. */
export interface ByteBudget {
  /** Bytes that may still be read; below zero once a row exceeded them. */
  left: number;
  /** The bytes of each row that was read, in their order. */
  readonly sizes: number[];
}

/** A row's share beside its texts: numbers, names, and what holds them. */
const rowBytes = 512;
/** Shorter texts are taken at their length: counting their bytes costs more than it tells. */
const shortText = 64;

/** The first of the rows, down to the one that exceeds the budget, which is the last. There is always one. */
export function within<Row extends readonly unknown[]>(rows: Iterable<Row>, budget: ByteBudget): Row[] {
  const taken: Row[] = [];
  for (const row of rows) {
    const bytes = bytesOf(row);
    taken.push(row);
    budget.sizes.push(bytes);
    budget.left -= bytes;
    if (budget.left < 0) break;
  }
  return taken;
}

/** About as many bytes as a row's values take, JSON as the text in which it is stored. */
function bytesOf(row: readonly unknown[]): number {
  let bytes = rowBytes;
  for (const value of row) {
    if (typeof value === "string") bytes += value.length < shortText ? value.length : Buffer.byteLength(value);
  }
  return bytes;
}
