// One operation as the document describes it: its parameters, its body and its responses.
import * as z from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import type { Operation } from "@/server/kit/operation";
import { queryKindOf } from "@/server/kit/query-fields";
import { requestExamplesOf } from "./examples";
import { requestHeadersOf } from "./headers";
import { metaOf } from "./meta";
import { responsesOf } from "./responses";
import { tagOf } from "./tags";

type Shape = Record<string, z.ZodType>;

/** The description of an operation that has a REST path. */
export function describe(operation: Operation): ZodOpenApiOperationObject {
  const { id, summary, description, access, rest, input } = operation;
  if (!rest || !description) throw new Error(`${id} needs a REST path and a description.`);
  const inPath = [...rest.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const shape: Shape = { ...(input as z.ZodObject).shape };
  const others = Object.keys(shape).filter((name) => !inPath.includes(name));
  const query = pick(shape, rest.method === "GET" ? others : (rest.queryFields ?? []));
  return {
    operationId: id,
    summary,
    description,
    tags: [tagOf(operation)],
    ...(rest.extension ? { "x-extension": true } : {}),
    ...(access.apiKey === null ? {} : { "x-api-key-scope": access.apiKey }),
    ...securityOf(operation),
    requestParams: {
      ...(inPath.length > 0 ? { path: z.object(parameters(pick(shape, inPath))) } : {}),
      ...(Object.keys(query).length > 0 ? { query: z.object(parameters(query)) } : {}),
      header: requestHeadersOf(operation),
    },
    ...bodyOf(operation, pick(shape, others)),
    responses: responsesOf(operation),
  };
}

/** The document's own rule is an access token or an API key. */
function securityOf({ access: { credential }, rest }: Operation): Pick<ZodOpenApiOperationObject, "security"> {
  if (rest?.token === "refresh") return { security: [{ refreshToken: [] }] };
  if (credential === "ignored") return { security: [] };
  return credential === "optional" ? { security: [{}, { bearer: [] }] } : {};
}

const pick = (shape: Shape, names: readonly string[]): Shape =>
  Object.fromEntries(names.flatMap((name) => (shape[name] ? [[name, shape[name]]] : [])));

/** The fields as parameters: each with an example, lists with commas, records with a key in brackets. */
const parameters = (shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => {
      const { example, description } = metaOf(field);
      if (example === undefined) throw new Error(`The parameter ${name} needs an example.`);
      return [name, field.meta({ param: { description, example, ...styles[queryKindOf(field)] } })];
    }),
  );

const styles = {
  list: { style: "form", explode: false },
  record: { style: "deepObject", explode: true },
  text: {},
  integer: {},
  boolean: {},
} as const;

function bodyOf(operation: Operation, shape: Shape): Pick<ZodOpenApiOperationObject, "requestBody"> {
  const { id, input, rest, ignoresUnknownFields } = operation;
  // A body with several forms is not an object schema, so it has no fields to pick from.
  const isObject = input.def.type === "object";
  if (rest?.method === "GET" || (isObject && Object.keys(shape).length === 0)) return {};
  const objectOf = ignoresUnknownFields === true ? z.object : z.strictObject;
  const schema = isObject ? objectOf(shape) : input;
  const name = input.meta()?.id;
  if (!name) throw new Error(`The input of ${id} needs an id, which names its body.`);
  return {
    requestBody: {
      required: !schema.safeParse({}).success,
      content: {
        "application/json": {
          schema: isObject ? schema.meta({ ...input.meta(), id: name }) : schema,
          examples: requestExamplesOf(operation),
        },
      },
    },
  };
}
