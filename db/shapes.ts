// Queries whose conditions depend on what was asked for: built and prepared once for each shape of their parameters.
import { type Placeholder, sql } from "drizzle-orm";
import type { ByteBudget } from "./bytes";
import type { Reader } from "./client";
import { assertMayRead } from "./guard";
import { allRows, type Preparable, type Run, type Values } from "./prepared";

/** Parameters with a slot in place of each text and number. What else they hold decides how the query is built. */
export type Slots<T> = T extends string | number
  ? Placeholder
  : T extends boolean | null | undefined
    ? T
    : { readonly [Name in keyof T]: Slots<T[Name]> };

/** Callers choose the shapes, so only the newest are kept. */
const mostShapes = 100;

/**
 * A query that is built and prepared once for each shape of its parameters: which are given, how long the lists are,
 * which flags are set. The names in the parameters are part of the shape, so they must be ours and not a caller's.
 */
export function preparedByShape<Params extends object, T>(
  build: (q: Reader, params: Slots<Params>) => Preparable<T>,
): (q: Reader, params: Params, budget?: ByteBudget) => Promise<T> {
  const statements = new WeakMap<Reader, Map<string, Run>>();
  return (q, params, budget) => {
    assertMayRead(q);
    const known = statements.get(q) ?? new Map<string, Run>();
    statements.set(q, known);
    const values: Values = {};
    const shape = describe(params, "", values);
    let run = known.get(shape);
    if (!run) {
      // Without a name PostgreSQL keeps nothing of it, and plans for the values that it is given.
      run = allRows(build(q, slotsOf(params, "") as Slots<Params>).prepare(""));
      const [oldest] = known.keys();
      if (known.size >= mostShapes && oldest !== undefined) known.delete(oldest);
      known.set(shape, run);
    }
    return run(values, budget) as Promise<T>;
  };
}

const isValue = (part: unknown): part is string | number => typeof part === "string" || typeof part === "number";
const isGroup = (part: unknown): part is object => typeof part === "object" && part !== null;

/** Puts the values into their slots, and gives everything else as a text. */
function describe(part: unknown, path: string, values: Values): string {
  if (isValue(part)) {
    values[path] = part;
    return "?";
  }
  if (!isGroup(part)) return String(part);
  let shape = "";
  for (const [name, inner] of Object.entries(part)) {
    if (inner !== undefined) shape += `${name}:${describe(inner, `${path}.${name}`, values)},`;
  }
  return `{${shape}}`;
}

function slotsOf(part: unknown, path: string): unknown {
  if (isValue(part)) return sql.placeholder(path);
  if (!isGroup(part)) return part;
  if (Array.isArray(part)) return part.map((inner, i) => slotsOf(inner, `${path}.${i}`));
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, slotsOf(inner, `${path}.${name}`)]));
}
