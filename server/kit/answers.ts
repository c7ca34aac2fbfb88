// What operations answer is sent as it is, so it must be what their schemas say.
import type * as z from "zod";

/** Finds a field of the value that the schema does not have, at any depth. */
type Search = (value: unknown) => string | null;

const none: Search = () => null;

/** Schemas of values without fields of their own. `record`, `unknown` and `custom` allow any field. */
const leaves = new Set(
  "string number int boolean enum literal null undefined date bigint custom unknown record".split(" "),
);

function searchOf(schema: z.core.$ZodType): Search {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (leaves.has(def.type)) return none;
  switch (def.type) {
    case "object":
      return inObject(new Map(Object.entries(def.shape).map(([name, field]) => [name, searchOf(field)])));
    case "array": {
      const inElement = searchOf(def.element);
      return inElement === none ? none : (value) => firstOf(value as readonly unknown[], inElement);
    }
    case "nullable":
    case "optional":
    case "readonly": {
      const within = searchOf(def.innerType);
      return within === none ? none : (value) => (value === null || value === undefined ? null : within(value));
    }
    case "union":
      return inOneOf(def.options.map(searchOf));
    default:
      throw new Error(`An answer is sent as it is, so its schema cannot have the type ${def.type}.`);
  }
}

function inObject(fields: ReadonlyMap<string, Search>): Search {
  return (value) => {
    for (const name of Object.keys(value as object)) {
      const within = fields.get(name);
      if (within === undefined) return name;
      const found = within === none ? null : within((value as Record<string, unknown>)[name]);
      if (found !== null) return found;
    }
    return null;
  };
}

function firstOf(values: readonly unknown[], search: Search): string | null {
  for (const value of values) {
    const found = search(value);
    if (found !== null) return found;
  }
  return null;
}

/** A value without fields fits any of them. An object must have the fields of one that has fields. */
function inOneOf(options: readonly Search[]): Search {
  const withFields = options.filter((option) => option !== none);
  if (withFields.length === 0) return none;
  return (value) => {
    if (typeof value !== "object" || value === null) return null;
    const found = withFields.map((option) => option(value));
    return found.includes(null) ? null : (found[0] ?? null);
  };
}

/**
 * Returns a check of what an operation answers. It throws if the answer has a field outside the schema, so that a column
 * never leaks. Outside production, it throws for every value that the schema refuses: that takes as long as the rest of
 * a list.
 */
export function answerCheck(schema: z.ZodType): (answer: unknown) => unknown {
  const search = searchOf(schema);
  if (process.env.NODE_ENV !== "production") return (answer) => schema.parse(answer);
  return (answer) => {
    const unknown = search(answer);
    if (unknown !== null) throw new Error(`The answer has the field ${unknown}, which its schema does not have.`);
    return answer;
  };
}
