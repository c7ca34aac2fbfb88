// Conditions on the entries of a JSON column.
import { and, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { dialect } from "./dialect";

/** The condition that an object has each of these texts under its key; undefined without any. */
export const hasEntries = (column: AnyPgColumn, entries: Readonly<Record<string, string>> = {}): SQL | undefined =>
  and(...Object.entries(entries).map(([key, value]) => sql`${textUnder(column, key)} = ${value}`));

/** A quoted path, because keys may contain dots. */
const textUnder = (column: AnyPgColumn, key: string): SQL =>
  dialect === "postgres"
    ? sql`${column} ->> cast(${key} as text)`
    : sql`json_extract(${column}, ${`$.${JSON.stringify(key)}`})`;
