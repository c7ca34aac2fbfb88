// CHECK expressions that the tables share.
import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { limits } from "../../server/kit/limits";

/** `column in ('a', 'b')`, as literals because a CHECK takes no parameters. */
export const inList = (column: AnyColumn, values: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;

/** An ISO 4217 alphabetic code: three characters. */
export const isCurrency = (column: AnyColumn): SQL => sql`length(${column}) = 3`;

/** A positive amount in minor units within the API's limit. */
export const isAmount = (column: AnyColumn): SQL => sql`${column} between 1 and ${sql.raw(String(limits.amount))}`;
