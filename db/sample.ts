// A random sample of a large table, held by partial indices: one row in 32, whose id ends in a pair of characters that
// begins with 0. Ids end in random characters, so whatever the rows have in common, they are as common in the sample.
import { and, count, inArray, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Reader } from "./client";

/** The last two characters of the row's id. Written as in the indices. */
export const pairOf: SQL = sql`substr(id, length(id) - 1)`;

/** The condition that a row is in the sample. Written as in the indices. */
export const isSampled: SQL = sql`substr(id, length(id) - 1) < '10'`;

const secondCharacters = "0123456789abcdefghjkmnpqrstvwxyz";
const pairs = Array.from(secondCharacters, (character) => `0${character}`);

/** The sample in parts: the first is one row in 1,024, and each other one has as many rows as all before it. */
export const sampleParts: readonly (readonly string[])[] = [
  pairs.slice(0, 1),
  ...[1, 2, 4, 8, 16].map((size) => pairs.slice(size, 2 * size)),
];

/** How many rows of the table stand behind one row of the first parts of the sample. */
export const rowsBehind = (parts: number): number => 1024 / 2 ** (parts - 1);

/** What a part of the sample has. */
export interface Sampled {
  /** Rows of the scope. */
  rows: number;
  /** Those that match. */
  matches: number;
}

/** Counts a part of the sample. */
export type SamplePart = (pairs: readonly string[]) => Promise<Sampled>;

/** What to select from the table to count a part of the sample. */
export const sampledColumns = (matching: SQL | undefined) => ({
  rows: count(),
  matches: matching ? sql`coalesce(sum(case when ${matching} then 1 else 0 end), 0)`.mapWith(Number) : count(),
});

/** The condition for a part of the sample within a scope, the equal column with which an index of the sample begins. */
export const inPart = (scope: SQL | undefined, part: readonly (string | Placeholder)[]): SQL | undefined =>
  and(scope, isSampled, inArray(pairOf, [...part]));

/** Counts what matches in the sample of the table. */
export const sampleOf =
  (q: Reader, table: PgTable, { scope, matching }: { scope: SQL; matching: SQL | undefined }): SamplePart =>
  async (pairs) => {
    const [row] = await q.select(sampledColumns(matching)).from(table).where(inPart(scope, pairs));
    return row ?? { rows: 0, matches: 0 };
  };
