// A limit on the stored text that one query may hold in memory, in bytes.

/** How many more bytes of rows a query may read. */
export interface ByteBudget {
  /** Bytes left; below zero once a row exceeds the budget. */
  left: number;
  /** The size in bytes of each row read, in order. */
  readonly sizes: number[];
}

/** Counted for each row on top of its texts: numbers, names and the objects around them. */
const rowBytes = 512;
/** Shorter texts count as their length in characters: counting their bytes would cost too much. */
const shortText = 64;

/** Takes rows until one exceeds the budget. That row is included, so there is always at least one. */
export function within<Row extends readonly unknown[]>(rows: readonly Row[], budget: ByteBudget): Row[] {
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

/** The approximate size of a row's values in bytes. JSON counts as its stored text. */
function bytesOf(row: readonly unknown[]): number {
  let bytes = rowBytes;
  for (const value of row) {
    if (typeof value === "string") bytes += value.length < shortText ? value.length : Buffer.byteLength(value);
  }
  return bytes;
}
