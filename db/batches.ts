// Statements over many rows: one per number of rows, because a statement's text depends on it.

/** Calls `build` once for each size and remembers the result. */
export function bySize<S>(build: (size: number) => S): (size: number) => S {
  const built = new Map<number, S>();
  return (size) => {
    const statement = built.get(size) ?? build(size);
    built.set(size, statement);
    return statement;
  };
}

/** The integers from 0 to `size` - 1. */
export const upTo = (size: number): number[] => Array.from({ length: size }, (_, index) => index);

/** `{ id0: …, amount0: …, id1: … }`: the slot values of a statement over many rows. */
export function numbered(rows: readonly object[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [i, row] of rows.entries()) {
    for (const [column, value] of Object.entries(row)) values[column + i] = value;
  }
  return values;
}
