// The OpenAPI 3.1 document, made from the operations themselves.
import * as z from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { type ErrorCode, errorMeanings, protocolErrors } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import type { Operation } from "@/server/kit/operation";

type Document = Record<string, unknown>;
type Table = Record<string, Record<string, Operation>>;

/** The document of a table of operations. */
export const openApiOf = (operations: Table): Document => build(allOf(operations));

/** Every operation of a table, in order. */
export const allOf = (operations: Table): Operation[] =>
  Object.values(operations).flatMap((verbs) => Object.values(verbs));

const introduction = [
  "Success is always 200, creation included. A refusal's body has exactly two fields, error_code and error_description.",
  "If credentials are missing or invalid, every operation that needs them answers 401 `unauthorized`, even those",
  "documented with only 200 and 400. The other protocol failures also keep their own statuses (404, 405, 409, 413,",
  "415, 429, 500, 503). All other refusals of an operation have the one status documented for it.",
].join(" ");

const errorBody = z
  .strictObject({
    error_code: z.string().meta({ description: "Machine-readable identifier of the failure." }),
    error_description: z.string().meta({ description: "Detailed explanation of the failure." }),
  })
  .meta({ id: "Error" });

function build(operations: Operation[]): Document {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    const { rest } = operation;
    if (!rest) continue;
    paths[rest.path] = { ...paths[rest.path], [rest.method.toLowerCase()]: describe(operation) };
  }
  const document = createDocument({
    openapi: "3.1.1",
    info: { title: "Quittance", version: "1", description: introduction },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: [
      { name: "documented", description: "The stable API." },
      { name: "extension", description: "Additional operations in the same style." },
    ],
    paths: paths as ZodOpenApiPathsObject,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An access token (qtat_…) or an API key (qtsk_…)." },
      },
      schemas: { Error: errorBody },
    },
  });
  return JSON.parse(JSON.stringify(document)) as Document;
}

function describe(operation: Operation): ZodOpenApiOperationObject {
  const { rest } = operation;
  if (!rest) throw new Error(`${operation.id} has no REST path.`);
  const inPath = [...rest.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const shape = { ...(operation.input as z.ZodObject).shape } as Record<string, z.ZodType>;
  const path = pick(shape, inPath);
  const others = Object.keys(shape).filter((name) => !inPath.includes(name));
  const query = pick(shape, rest.method === "GET" ? others : (rest.queryFields ?? []));
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    tags: [rest.extension ? "extension" : "documented"],
    ...(operation.access.credential === "ignored" ? { security: [] } : {}),
    ...(operation.access.credential === "optional" ? { security: [{}, { bearer: [] }] } : {}),
    requestParams: {
      ...(inPath.length > 0 ? { path: z.object(path) } : {}),
      ...(Object.keys(query).length > 0 ? { query: z.object(optional(query, rest.method === "GET")) } : {}),
      header: headersOf(operation),
    },
    ...bodyOf(operation, pick(shape, others)),
    responses: responsesOf(operation),
  };
}

const pick = (shape: Record<string, z.ZodType>, names: readonly string[]): Record<string, z.ZodType> =>
  Object.fromEntries(names.flatMap((name) => (shape[name] ? [[name, shape[name]]] : [])));

const optional = (shape: Record<string, z.ZodType>, asItIs: boolean): Record<string, z.ZodType> =>
  asItIs ? shape : Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, field.optional()]));

function headersOf(operation: Operation) {
  const honoursKey = operation.effect !== "read" && operation.idempotent !== false;
  const hasVersion = operation.rest?.etag !== undefined;
  return z.object({
    "Request-Id": z.string().max(limits.requestId).optional(),
    ...(honoursKey ? { "Idempotency-Key": z.string().min(1).max(limits.idempotencyKey).optional() } : {}),
    ...(hasVersion && operation.effect === "read" ? { "If-None-Match": z.string().optional() } : {}),
    ...(hasVersion && operation.effect !== "read" ? { "If-Match": z.string().optional() } : {}),
  });
}

function bodyOf(
  operation: Operation,
  shape: Record<string, z.ZodType>,
): Pick<ZodOpenApiOperationObject, "requestBody"> {
  // A body with several forms is not an object schema, so it has no fields to pick from.
  const isObject = operation.input.def.type === "object";
  if (operation.rest?.method === "GET" || (isObject && Object.keys(shape).length === 0)) return {};
  const strict = isObject ? z.strictObject(shape) : operation.input;
  const schema = operation.ignoresUnknownFields ? z.object(shape) : strict;
  return {
    requestBody: {
      required: !schema.safeParse({}).success,
      content: { "application/json": { schema } },
    },
  };
}

function responsesOf(operation: Operation): ZodOpenApiOperationObject["responses"] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const [code, status] of refusalsOf(operation)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  const refusals = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [status, refusalOf(codes)] as const);
  const unchanged = operation.rest?.etag && operation.effect === "read" ? { 304: { description: "Not changed." } } : {};
  return {
    200: { description: "Success.", content: contentOf(operation) },
    ...unchanged,
    ...Object.fromEntries(refusals),
  };
}

const contentOf = ({ rest, output }: Operation) =>
  rest?.mediaTypes
    ? Object.fromEntries(rest.mediaTypes.map((type) => [type, { schema: z.string() }]))
    : { "application/json": { schema: output } };

const refusalOf = (codes: readonly ErrorCode[]) => ({
  description: codes.map((code) => `\`${code}\`: ${errorMeanings[code]}`).join("\n\n"),
  content: {
    "application/json": {
      schema: errorBody,
      examples: Object.fromEntries(
        codes.map((code) => [code, { value: { error_code: code, error_description: errorMeanings[code] } }]),
      ),
    },
  },
});

/** Every code that the operation can return, and its status. */
export function refusalsOf(operation: Operation): [ErrorCode, number][] {
  const { access, errors, rest, effect } = operation;
  const codes = new Map<ErrorCode, number>(Object.entries(protocolErrors) as [ErrorCode, number][]);
  for (const code of ["unknown_path", "method_not_allowed"] as const) codes.delete(code);
  if (access.credential === "ignored") codes.delete("unauthorized");
  if (rest?.method === "GET") {
    for (const code of ["invalid_json", "payload_too_large", "unsupported_media_type"] as const) codes.delete(code);
  }
  if (effect === "read" || operation.idempotent === false) codes.delete("idempotency_key_in_use");
  else codes.set("idempotency_key_reused", 400);
  if (access.credential !== "ignored") codes.set("insufficient_permissions", 400);
  for (const [code, status] of Object.entries(errors)) codes.set(code as ErrorCode, status);
  return [...codes];
}
