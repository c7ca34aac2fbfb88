// Queries that are built and prepared once per connection, for the paths where building them would cost more than running them.
import type { Statement } from "better-sqlite3";
import { is, Param, Placeholder, sql } from "drizzle-orm";
import type pg from "pg";
import { type ByteBudget, within } from "./bytes";
import type { Reader, Tx } from "./client";
import { assertMayRead } from "./guard";
import { rowMapper, type SelectedField } from "./rows";

export interface Preparable<T> {
  prepare(name: string): { execute(values?: Record<string, unknown>): Promise<T> };
}

/**
 * What the builder has prepared, on SQLite or on PostgreSQL. Its own way of running it takes several promises a query and
 * looks at every value's class, so of what it made only the text and the statement are used.
 */
type Compiled = {
  getQuery(): { params: unknown[] };
  fields?: SelectedField[];
  joinsNotNullableMap?: Record<string, boolean>;
} & ({ stmt: Statement } | { stmt?: undefined; client: pg.ClientBase; queryConfig: pg.QueryArrayConfig });

export type Values = Record<string, unknown>;

/** A named slot of a prepared query. */
export const slot = (name: string) => sql.placeholder(name);

/**
 * A query that is prepared on first use on each connection. Its name must be unique in the product: PostgreSQL keeps it
 * per connection.
 */
export function prepared<Handle extends Reader | Tx, T>(name: string, build: (q: Handle) => Preparable<T>) {
  return onEach<Handle, T>((q) => allRows(build(q).prepare(name)));
}

/** The same for a query that finds one row or none. */
export function preparedOne<Handle extends Reader | Tx, Row>(name: string, build: (q: Handle) => Preparable<Row[]>) {
  return onEach<Handle, Row | undefined>((q) => oneRow(build(q).prepare(name)));
}

/** Runs a query. A budget leaves out the rows beyond it before they are made into objects. */
export type Run = (values: Values, budget?: ByteBudget) => Promise<unknown>;

/** A query that is compiled for each handle on its first use there. */
function onEach<Handle extends Reader | Tx, T>(compile: (q: Handle) => Run) {
  const statements = new WeakMap<Handle, Run>();
  return (q: Handle, values: Values = {}): Promise<T> => {
    assertMayRead(q);
    let run = statements.get(q);
    if (!run) {
      run = compile(q);
      statements.set(q, run);
    }
    return run(values) as Promise<T>;
  };
}

/** What the builder's `prepare` gives. */
type Prepared = ReturnType<Preparable<unknown>["prepare"]>;

function oneRow(prepared: Prepared): Run {
  const { query, bind, toObject } = partsOf(prepared);
  if (!toObject) throw new Error("A query for one row must select something.");
  if (query.stmt) {
    const stmt = query.stmt.raw();
    return async (values) => {
      const row = stmt.get(bind(values)) as unknown[] | undefined;
      return row && toObject(row);
    };
  }
  const { client, queryConfig } = query;
  return async (values) => {
    const { rows } = await client.query(queryConfig, bind(values));
    return rows[0] && toObject(rows[0]);
  };
}

/** Runs what the builder has prepared, for all rows that it selects. */
export function allRows(prepared: Prepared): Run {
  const { query, bind, toObject } = partsOf(prepared);
  if (query.stmt) {
    const { stmt } = query;
    if (!toObject) return async (values) => stmt.run(bind(values));
    stmt.raw();
    return async (values, budget) => {
      const bound = bind(values);
      // Read one by one, since of the largest rows few are within a budget.
      const rows = budget
        ? within(stmt.iterate(bound) as Iterable<unknown[]>, budget)
        : (stmt.all(bound) as unknown[][]);
      return rows.map(toObject);
    };
  }
  const { client, queryConfig } = query;
  const config = { ...queryConfig, types: jsonAsText(queryConfig.types) };
  return async (values, budget) => {
    const { rows } = await client.query(config, bind(values));
    return toObject ? (budget ? within(rows, budget) : rows).map(toObject) : rows;
  };
}

const jsonType = 114;

/** The columns parse their JSON themselves, after it is known which rows are wanted and how large they are. */
const jsonAsText = (types: pg.CustomTypesConfig | undefined): pg.CustomTypesConfig => ({
  getTypeParser: ((oid: number, format: "text") =>
    oid === jsonType ? String : types?.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
});

/** Runs a query that is built for this one call, within a budget. */
export const withinBudget = <T>(query: Preparable<T>, budget: ByteBudget): Promise<T> =>
  allRows(query.prepare(""))({}, budget) as Promise<T>;

function partsOf(prepared: Prepared) {
  const query = prepared as unknown as Compiled;
  const bind = binder(query.getQuery().params);
  const toObject = query.fields && rowMapper(query.fields);
  const hasLeftJoin = Object.values(query.joinsNotNullableMap ?? {}).includes(false);
  if (hasLeftJoin && query.fields?.some(({ path }) => path.length > 1)) {
    throw new Error("A prepared query with a left join must select its fields one by one.");
  }
  return { query, bind, toObject };
}

/** The query's parameters in their order, with the values in their slots as their columns write them. */
function binder(params: readonly unknown[]): (values: Values) => unknown[] {
  const bound = params.map((param) => {
    const slotted = is(param, Param) ? param.value : param;
    if (!is(slotted, Placeholder)) return () => param;
    const name: string = slotted.name;
    const encoder = is(param, Param) ? param.encoder : null;
    return (values: Values) => {
      if (!(name in values)) throw new Error(`The slot ${name} has no value.`);
      const value = values[name];
      // Nothing is NULL in every column: columns of JSON would write the text `null`, and booleans `false`.
      return value === null || encoder === null ? value : encoder.mapToDriverValue(value);
    };
  });
  return (values) => bound.map((value) => value(values));
}
