// Queries that are built and prepared once per connection, for paths where building costs more than running.
import type { Statement } from "better-sqlite3";
import { getTableColumns, is, Param, Placeholder, sql, type Table } from "drizzle-orm";
import type pg from "pg";
import { type ByteBudget, within } from "./bytes";
import type { Reader, Tx } from "./client";
import { assertMayRead } from "./guard";
import { rowMapper, type SelectedField } from "./rows";

export interface Preparable<T> {
  prepare(name: string): { execute(values?: Record<string, unknown>): Promise<T> };
}

/**
 * A prepared query of the builder, on SQLite or PostgreSQL. Only its text and statement are used: the builder's own way
 * of running it takes several promises per query and inspects the class of every value.
 */
type Compiled = {
  getQuery(): { params: unknown[] };
  fields?: SelectedField[];
  joinsNotNullableMap?: Record<string, boolean>;
} & ({ stmt: Statement } | { stmt?: undefined; client: pg.ClientBase; queryConfig: pg.QueryArrayConfig });

/** The values of the slots by name; those of the slots "0", "1" and so on in order; or rows with values by name. */
export type Values = object;

/** A named slot in a prepared query. In a statement over several rows it takes the value of one row. */
export const slot = (name: string, row?: number) => sql.placeholder(row === undefined ? name : `${row}.${name}`);

/** A slot for each column of the table, named like the column in the code, for an INSERT of a whole row. */
export function slotsOf<T extends Table>(table: T, row?: number) {
  const names = Object.keys(getTableColumns(table));
  return Object.fromEntries(names.map((name) => [name, slot(name, row)])) as Record<
    keyof T["$inferInsert"],
    Placeholder
  >;
}

/**
 * A query that each connection prepares on first use. Its name must be unique in the product: PostgreSQL keeps
 * statements by name.
 */
export function prepared<Handle extends Reader | Tx, T>(name: string, build: (q: Handle) => Preparable<T>) {
  return onEach<Handle, T>((q) => allRows(build(q).prepare(name)));
}

/** Like {@link prepared}, for a query that finds one row or none. */
export function preparedOne<Handle extends Reader | Tx, Row>(name: string, build: (q: Handle) => Preparable<Row[]>) {
  return onEach<Handle, Row | undefined>((q) => oneRow(build(q).prepare(name)));
}

/** Runs a query. With a budget, the rows beyond it are dropped before they become objects. */
export type Run = (values: Values, budget?: ByteBudget) => Promise<unknown>;

/** Compiles a query for each handle on first use. */
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

/** The result of the builder's `prepare`. */
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

/** Runs a prepared query and returns all its rows. */
export function allRows(prepared: Prepared): Run {
  const { query, bind, toObject } = partsOf(prepared);
  if (query.stmt) {
    const { stmt } = query;
    if (!toObject) return async (values) => stmt.run(bind(values));
    stmt.raw();
    return async (values, budget) => {
      const rows = stmt.all(bind(values)) as unknown[][];
      return (budget ? within(rows, budget) : rows).map(toObject);
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

/** Leaves JSON as text. Columns parse it later, once it is known which rows are wanted and how large they are. */
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

const valueIn = (values: object, name: string) => (values as Record<string, unknown>)[name];

/** The parameters of the query in order, with slots filled and encoded by their columns. */
function binder(params: readonly unknown[]): (values: Values) => unknown[] {
  const bound = params.map((param) => {
    const slotted = is(param, Param) ? param.value : param;
    if (!is(slotted, Placeholder)) return () => param;
    const encoder = is(param, Param) ? param.encoder : null;
    const [first = "", inner] = slotted.name.split(".");
    const name: string = inner ?? first;
    return (values: Values) => {
      const row = (inner === undefined ? values : valueIn(values, first)) as object;
      const value = valueIn(row, name);
      if (value === undefined && !(name in row)) throw new Error(`The slot ${name} has no value.`);
      // NULL needs no encoder: JSON columns would write the text `null`, and booleans `false`.
      return value === null || encoder === null ? value : encoder.mapToDriverValue(value);
    };
  });
  return (values) => bound.map((value) => value(values));
}
