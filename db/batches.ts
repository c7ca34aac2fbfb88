// Statements over many rows: one for each number of rows, since a statement's text depends on it.

/** What is built once for each size. */
export function bySize<S>(build: (size: number) => S): (size: number) => S {
  const built = new Map<number, S>();
  return (size) => {
    const statement = built.get(size) ?? build(size);
    built.set(size, statement);
    return statement;
  };
}

/** 0 to `size` - 1. */
export const upTo = (size: number): number[] => Array.from({ length: size }, (_, index) => index);

/** `{ id0: …, amount0: …, id1: … }`: the values for the slots of a statement with many rows. */
export function numbered(rows: readonly object[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [i, row] of rows.entries()) {
    for (const [column, value] of Object.entries(row)) values[column + i] = value;
  }
  return values;
}
