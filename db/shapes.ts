// Queries whose conditions vary by call, built and prepared once for each shape of their parameters.
import { type Placeholder, sql } from "drizzle-orm";
import { limits } from "../server/kit/limits";
import type { ByteBudget } from "./bytes";
import type { Reader } from "./client";
import { assertMayRead } from "./guard";
import { allRows, type Preparable, type Run } from "./prepared";

/** Parameters with a slot in place of each text and number. Everything else decides how the query is built. */
export type Slots<T> = T extends string | number
  ? Placeholder
  : T extends boolean | null | undefined
    ? T
    : { readonly [Name in keyof T]: Slots<T[Name]> };

/**
 * A query that is built and prepared once for each shape of its parameters: which are given, how long lists are, which
 * flags are set. Parameter names are part of the shape, so they must come from our code, never from a caller.
 */
export function preparedByShape<Params extends object, T>(
  build: (q: Reader, params: Slots<Params>) => Preparable<T>,
): (q: Reader, params: Params, budget?: ByteBudget) => Promise<T> {
  const statements = new WeakMap<Reader, Map<string, Run>>();
  return (q, params, budget) => {
    assertMayRead(q);
    const known = statements.get(q) ?? new Map<string, Run>();
    statements.set(q, known);
    const values: (string | number)[] = [];
    const shape = describe(params, values);
    let run = known.get(shape);
    if (!run) {
      // PostgreSQL does not keep a statement without a name, and plans it for its actual values.
      run = allRows(build(q, withSlots(params) as Slots<Params>).prepare(""));
      const [oldest] = known.keys();
      if (known.size >= limits.preparedShapes && oldest !== undefined) known.delete(oldest);
      known.set(shape, run);
    }
    return run(values, budget) as Promise<T>;
  };
}

const isValue = (part: unknown): part is string | number => typeof part === "string" || typeof part === "number";
const isGroup = (part: unknown): part is object => typeof part === "object" && part !== null;

/** Collects the values for the slots in order and returns the rest, the shape, as text. */
function describe(part: unknown, values: (string | number)[]): string {
  if (isValue(part)) {
    values.push(part);
    return "?";
  }
  if (!isGroup(part)) return String(part);
  let shape = "{";
  for (const name of Object.keys(part)) {
    const inner = (part as Record<string, unknown>)[name];
    if (inner !== undefined) shape += `${name}:${describe(inner, values)},`;
  }
  return `${shape}}`;
}

/** The parameters with slots, which are named by their place among the values that `describe` collects. */
function withSlots(part: unknown, places = { next: 0 }): unknown {
  if (isValue(part)) return sql.placeholder(String(places.next++));
  if (!isGroup(part)) return part;
  if (Array.isArray(part)) return part.map((inner) => withSlots(inner, places));
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, withSlots(inner, places)]));
}
