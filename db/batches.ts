// Statements over many rows: one per number of rows, because a statement's text depends on it.
import { limits } from "../server/kit/limits";
import { slot } from "./prepared";

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

/** The rows in order, at most `size` at a time. */
export function* groupsOf<T>(rows: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

/** The most ids in one statement: a posting needs two to six, a page of accounts a hundred. */
const largestBatch = limits.batch.ledgerIds;

/** Calls `query` with sorted, distinct ids in batches, padded so that few statements cover every number of ids. */
export async function inBatches<T>(ids: readonly string[], query: (batch: string[]) => Promise<T[]>): Promise<T[]> {
  const sorted = [...new Set(ids)].sort();
  const rows: T[] = [];
  for (let from = 0; from < sorted.length; from += largestBatch) {
    const batch = sorted.slice(from, from + largestBatch);
    const size = 2 ** Math.ceil(Math.log2(batch.length));
    rows.push(...(await query(batch.concat(Array(size - batch.length).fill(batch.at(-1))))));
  }
  return rows;
}

/** The slots for a batch of ids, which are its values. */
export const idSlots = (size: number) => upTo(size).map((i) => slot(String(i)));
