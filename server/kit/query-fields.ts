// How the fields of an input are written in a query, for the HTTP server, which reads them, and the OpenAPI document.
import type * as z from "zod";

export type QueryKind = "text" | "integer" | "boolean" | "list" | "record";

/** How each field of a schema is written in a query. */
export type QueryFields = ReadonlyMap<string, QueryKind>;

/** The fields of an object schema, and how to read each from text. */
export function queryFieldsOf(schema: z.ZodType): QueryFields {
  const shape = (schema as z.ZodObject).def?.type === "object" ? (schema as z.ZodObject).shape : {};
  return new Map(Object.entries(shape).map(([name, field]) => [name, queryKindOf(field as z.ZodType)]));
}

/** How a value of this schema is written in a query. */
export function queryKindOf(schema: z.ZodType): QueryKind {
  const def = schema.def as unknown as { type: string; innerType?: z.ZodType; in?: z.ZodType };
  if (def.innerType) return queryKindOf(def.innerType);
  if (def.type === "pipe" && def.in) return queryKindOf(def.in);
  if (def.type === "number" || def.type === "int") return "integer";
  if (def.type === "boolean") return "boolean";
  if (def.type === "array") return "list";
  if (def.type === "record") return "record";
  return "text";
}
