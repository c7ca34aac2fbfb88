// Prefix search as a range over the bytes of a text, so that an index serves it on both engines.
import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { dialect } from "./dialect";
import type { Slots } from "./shapes";

/** The last code point: no text with a prefix sorts after the prefix followed by it. */
const last = "\u{10FFFF}";

/** PostgreSQL compares by locale unless told to compare bytes, as SQLite does. */
const bytes = (text: string | Placeholder): SQL =>
  dialect === "postgres" ? sql`cast(${text} as text) collate "C"` : sql`${text}`;

/** The range of texts that start with a prefix. */
export interface Beginning {
  from: string;
  until: string;
}

/** Returns the range of texts that start with the prefix. */
export const beginning = (prefix: string): Beginning => ({ from: prefix, until: prefix + last });

/** The condition that the column's text is within the range. */
export const isInRange = (column: AnyPgColumn, { from, until }: Slots<Beginning>): SQL =>
  sql`(${column} >= ${bytes(from)} and ${column} < ${bytes(until)})`;

/** The condition that the column's text starts with the prefix, byte for byte. */
export const beginsWith = (column: AnyPgColumn, prefix: string): SQL =>
  sql`(${column} >= ${bytes(prefix)} and ${column} < ${bytes(prefix + last)})`;
