// Turns a driver's row into the object that a query promises, with a function compiled once per query.
import { Column, is, SQL } from "drizzle-orm";

/** A selected field: its path in the object and its column. */
export interface SelectedField {
  readonly path: string[];
  readonly field: unknown;
}

type Decode = (value: unknown) => unknown;
interface Decoder {
  mapFromDriverValue: Decode;
}

type Tree = { [name: string]: Tree | string };

/**
 * Returns a function from a row, as an array of values, to its object. The query builder walks paths and classes for
 * every value of every row, which costs more than reading it. Here the object is compiled to a literal once.
 */
export function rowMapper(fields: readonly SelectedField[]): (row: readonly unknown[]) => unknown {
  const decoders = fields.map(({ field }) => decoderOf(field));
  const object: Tree = {};
  for (const [i, { path }] of fields.entries()) {
    const value = isVerbatim(decoders[i]) ? `row[${i}]` : `row[${i}] === null ? null : decode[${i}](row[${i}])`;
    place(object, path, value);
  }
  const decode = decoders.map(
    (decoder): Decode =>
      (value) =>
        decoder?.mapFromDriverValue(value),
  );
  return new Function("decode", `return (row) => (${literal(object)})`)(decode);
}

function decoderOf(field: unknown): Decoder {
  if (is(field, Column)) return field;
  const { decoder } = (is(field, SQL) ? field : (field as SQL.Aliased).sql) as unknown as { decoder: Decoder };
  return decoder;
}

/** Whether the column returns the driver's value unchanged, as most do. */
const isVerbatim = (decoder: Decoder | undefined): boolean =>
  decoder?.mapFromDriverValue === Column.prototype.mapFromDriverValue;

function place(tree: Tree, [name = "", ...inner]: readonly string[], value: string): void {
  if (inner.length === 0) {
    tree[name] = value;
    return;
  }
  tree[name] ??= {};
  place(tree[name] as Tree, inner, value);
}

const literal = (tree: Tree): string =>
  `{${Object.entries(tree)
    .map(([name, value]) => `${JSON.stringify(name)}: ${typeof value === "string" ? value : literal(value)}`)
    .join(", ")}}`;
