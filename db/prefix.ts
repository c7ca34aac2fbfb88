// Searching for the beginning of a word, so that an index over the bytes of the text serves it on either engine.
import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { dialect } from "./dialect";
import type { Slots } from "./shapes";

/** The last code point: no word that begins with a prefix sorts after the prefix followed by it. */
const last = "\u{10FFFF}";

/** PostgreSQL compares by the database's language unless it is told to compare bytes, as SQLite does. */
const bytes = (text: string | Placeholder): SQL =>
  dialect === "postgres" ? sql`cast(${text} as text) collate "C"` : sql`${text}`;

/** The texts that begin with a prefix, as a range. */
export interface Beginning {
  from: string;
  until: string;
}

/** The range of the texts that begin with the prefix. */
export const beginning = (prefix: string): Beginning => ({ from: prefix, until: prefix + last });

/** The condition that the column's text is in the range. */
export const isInRange = (column: AnyPgColumn, { from, until }: Slots<Beginning>): SQL =>
  sql`(${column} >= ${bytes(from)} and ${column} < ${bytes(until)})`;

/** The condition that the column's text begins with the prefix, exactly. */
export const beginsWith = (column: AnyPgColumn, prefix: string): SQL =>
  sql`(${column} >= ${bytes(prefix)} and ${column} < ${bytes(prefix + last)})`;
