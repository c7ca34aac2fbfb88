// A call of every operation, made from the OpenAPI document in the repository and its examples.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Api, ApiReply } from "../api";
import { type OpenApi, resolved } from "./described";
import { newEmail } from "./people";

type Json = Record<string, unknown>;
type Property = Json | { $ref: string };
type Schema = { properties?: Record<string, Property>; discriminator?: { mapping: Record<string, string> } };
type Reference = { $ref: string };

export interface Call {
  /** The id of the operation, and which of its documented bodies this is. */
  name: string;
  operationId: string;
  /** The scope that an API key needs; null if no API key may make the call. */
  scope: string | null;
  method: string;
  /** The path with names in braces. */
  pattern: string;
  inPath: Readonly<Record<string, string>>;
  /** The names of the parameters that the query may have. */
  queryNames: readonly string[];
  query: Readonly<Record<string, string>>;
  /** The names of the fields that this form of the body may have. */
  bodyNames: readonly string[];
  body?: Json | undefined;
}

const inRepository = path.resolve(import.meta.dirname, "../../openapi.json");
const document: OpenApi = JSON.parse(readFileSync(inRepository, "utf8"));

const { ApiKeyScope } = (document.components as { schemas: { ApiKeyScope: { enum: string[] } } }).schemas;

/** Every scope that an API key can have. */
export const allScopes: readonly string[] = ApiKeyScope.enum;

/** Every operation that needs a credential, once with each of its documented bodies. */
export const calls: readonly Call[] = Object.entries(document.paths).flatMap(([pattern, methods]) =>
  Object.entries(methods)
    .filter(([, operation]) => "401" in operation.responses && operation.operationId !== "sessions.refresh")
    .flatMap(([method, operation]): Call[] => {
      const known = operation.parameters.map((parameter) => resolved(document, parameter));
      const named = (place: string) => known.filter((parameter) => parameter.in === place);
      const call = {
        operationId: operation.operationId,
        scope: operation["x-api-key-scope"] ?? null,
        method: method.toUpperCase(),
        pattern,
        inPath: Object.fromEntries(named("path").map(({ name, example }) => [name, String(example)])),
        queryNames: named("query").map(({ name }) => name),
        query: {},
      };
      const bodies = bodiesOf(operation.requestBody);
      if (bodies.length === 0) return [{ ...call, name: call.operationId, bodyNames: [] }];
      return bodies.map((each) => ({ ...call, ...each, name: `${call.operationId} (${each.name})` }));
    }),
);

function bodiesOf(given?: { content: Json }): { name: string; body: Json; bodyNames: string[] }[] {
  if (!given) return [];
  const { schema, examples } = given.content["application/json"] as {
    schema: Schema | Reference;
    examples: Record<string, { value: Json }>;
  };
  return Object.entries(examples).map(([name, { value }]) => {
    const form = formOf(resolved<Schema>(document, schema), value);
    return { name, body: value, bodyNames: Object.keys(form.properties ?? {}) };
  });
}

/** The schema of this body, if the operation takes several forms. */
function formOf(schema: Schema, { type }: Json): Schema {
  const $ref = schema.discriminator?.mapping[String(type)];
  return $ref === undefined ? schema : resolved<Schema>(document, { $ref });
}

/** Sends the call. An e-mail address in its body is replaced by a new one, because an address is used once. */
export async function send<T = Json>(api: Api, call: Call, token: string): Promise<ApiReply<T>> {
  const route = call.pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => call.inPath[name] ?? "");
  const query = new URLSearchParams(call.query);
  const body = call.body && { ...call.body, ...("email" in call.body ? { email: newEmail() } : {}) };
  return api<T>(call.method, query.size === 0 ? route : `${route}?${query}`, { token, body });
}
