// Queries that are read together: on PostgreSQL in one statement, because each of them would cost a round trip.
import { type Column, type SQLWrapper, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { dialect } from "@/db/dialect";
import { type Preparable, prepared, preparedOne, type Values } from "@/db/prepared";

/** A query of the builder that selects columns, each with a name of its own. */
interface Query<Rows> extends Preparable<Rows>, SQLWrapper {
  _: { selectedFields: Record<string, unknown> };
}

type Builders<Results> = { [Name in keyof Results]: (q: Reader) => Query<Results[Name]> };

/** Prepares the queries once per connection. They share their slots. The results have the names of the queries. */
export function preparedTogether<Results extends Record<string, unknown>>(
  name: string,
  builders: Builders<Results>,
): (q: Reader, values: Values) => Promise<Results> {
  const run = (dialect === "postgres" ? inOneStatement : oneByOne)(name, builders);
  return run as (q: Reader, values: Values) => Promise<Results>;
}

type Run = (q: Reader, values: Values) => Promise<Record<string, unknown>>;

function oneByOne(name: string, builders: Builders<Record<string, unknown>>): Run {
  const queries = Object.entries(builders).map(
    ([own, build]) => [own, prepared<Reader, unknown>(`${name}.${own}`, build)] as const,
  );
  return async (q, values) => {
    const found: Record<string, unknown> = {};
    for (const [own, query] of queries) found[own] = await query(q, values);
    return found;
  };
}

function inOneStatement(name: string, builders: Builders<Record<string, unknown>>): Run {
  return preparedOne<Reader, Record<string, unknown>>(name, (q) => {
    const parts = Object.entries(builders).map(([own, build]) => [own, asJson(build(q))] as const);
    return q.select(Object.fromEntries(parts)).from(sql`(select 1) as one`);
  }) as Run;
}

/** The rows of a query as one value. */
function asJson(query: Query<unknown>) {
  const columns = Object.entries(query._.selectedFields) as [string, Column][];
  const toRow = (read: Record<string, unknown>) =>
    Object.fromEntries(
      columns.map(([own, column]) => {
        const value = read[column.name];
        return [own, value === null ? null : column.mapFromDriverValue(value)];
      }),
    );
  const mapFromDriverValue = (read: Record<string, unknown>[]) => read.map(toRow);
  return sql`(select coalesce(json_agg(found), '[]') from ${query} found)`.mapWith({ mapFromDriverValue });
}
