// A client that checks every response with its headers, and every accepted request, against the OpenAPI document that
// the server serves.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Api, ApiReply } from "../api";
import { test as base } from "../fixtures";
import { instantPattern } from "./records";

type Json = Record<string, unknown>;
type Reference = { $ref: string };
type ParameterObject = { name: string; in: string; schema: Json; example?: unknown };
type HeaderObject = { required?: boolean; schema: { type?: string } };
type ResponseObject = { headers: Record<string, HeaderObject | Reference>; content?: Json };
type OperationObject = {
  operationId: string;
  tags: string[];
  "x-extension"?: boolean;
  "x-api-key-scope"?: string;
  responses: Record<string, ResponseObject | Reference>;
  parameters: (ParameterObject | Reference)[];
  requestBody?: { content: Json };
};
export type OpenApi = { openapi: string; paths: Record<string, Record<string, OperationObject>>; components: Json };

/** A part of the document, whether it is given in place or by reference. */
export function resolved<T extends object>(document: OpenApi, part: T | Reference): T {
  if (!("$ref" in part)) return part;
  const [, ...names] = part.$ref.split("/");
  return names.reduce<unknown>((node, name) => (node as Json)[name.replaceAll("~1", "/")], document) as T;
}

/** Headers of the connection, and those that OpenAPI describes as the content. */
const undescribed = ["connection", "content-length", "content-type", "date", "keep-alive", "transfer-encoding"];

/** Finds the documented operation of a call and the schemas of its responses. */
export class Description {
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly requests: Ajv2020;
  private readonly answers: Ajv2020;

  constructor(private readonly document: OpenApi) {
    // Requests may use any UTC offset for an instant; responses always use one form.
    this.requests = checker(document, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
    this.answers = checker(document, instantPattern);
  }

  /** What violates the document, in the response or in the accepted request; null if nothing does. */
  faultOf([method, path, request]: Parameters<Api>, reply: ApiReply<unknown>): string | null {
    const url = new URL(path, "http://localhost");
    const { pattern, operation } = this.operationOf(method, url.pathname) ?? {};
    if (!pattern || !operation) return `${method} ${path} is not described`;
    const at = ["paths", pattern, method.toLowerCase()];
    if (reply.status === 200) {
      const fault = this.faultOfRequest(at, operation, url.searchParams, request?.body);
      if (fault !== null) return `${method} ${path} accepted an undescribed request: ${fault}`;
    }
    const given = operation.responses[reply.status];
    if (!given) return `${method} ${pattern} has no status ${reply.status} (${reply.text})`;
    const fault =
      this.faultOfBody([...at, "responses", reply.status], given, reply) ?? this.faultOfHeaders(given, reply);
    return fault === null ? null : `${method} ${pattern} ${reply.status}: ${fault}\n${reply.text}`;
  }

  /** The operation that answers this method at this path, with its pattern; null if none is documented. */
  operationOf(method: string, path: string): { pattern: string; operation: OperationObject } | null {
    const [pattern, operations] = this.pathOf(path);
    const operation = operations?.[method.toLowerCase()];
    return pattern && operation ? { pattern, operation } : null;
  }

  private faultOfBody(
    at: (string | number)[],
    given: ResponseObject | Reference,
    { status, headers, text, body }: ApiReply<unknown>,
  ): string | null {
    const { content } = resolved(this.document, given);
    if (!content) return text === "" ? null : `${status} has a body`;
    const [type = ""] = (headers.get("content-type") ?? "application/json").split(";");
    if (!(type in content)) return `its media type is ${type}`;
    const place = "$ref" in given ? given.$ref.slice(2).split("/") : at;
    return this.faultOfJson(this.answers, place, type === "application/json" ? body : text, type);
  }

  /** A header that is described but missing or malformed, or sent but not described. */
  private faultOfHeaders(given: ResponseObject | Reference, { headers }: ApiReply<unknown>): string | null {
    const described = Object.entries(resolved(this.document, given).headers);
    for (const [name, value] of described) {
      const sent = headers.get(name);
      const { required, schema } = resolved(this.document, value);
      if (sent === null && required) return `the header ${name} is missing`;
      if (sent === null) continue;
      const isValid = this.answers.validate(schema, schema.type === "integer" ? Number(sent) : sent);
      if (!isValid) return `the header ${name}: ${sent} ${this.answers.errorsText()}`;
    }
    const known = [...undescribed, ...described.map(([name]) => name.toLowerCase())];
    const strays = [...headers.keys()].filter((name) => !known.includes(name));
    return strays.length === 0 ? null : `sends headers that are not described: ${strays.join(", ")}`;
  }

  private faultOfRequest(
    at: string[],
    operation: OperationObject,
    query: URLSearchParams,
    body: unknown,
  ): string | null {
    const known = operation.parameters.map((parameter) => resolved(this.document, parameter));
    for (const name of query.keys()) {
      const [base] = name.split("[");
      if (!known.some((parameter) => parameter.in === "query" && parameter.name === base)) return `the query's ${name}`;
    }
    if (body === undefined) return null;
    return operation.requestBody ? this.faultOfJson(this.requests, [...at, "requestBody"], body) : "a body";
  }

  private faultOfJson(ajv: Ajv2020, at: (string | number)[], value: unknown, type = "application/json"): string | null {
    const pointer = `openapi#/${[...at, "content", type, "schema"].map(escaped).join("/")}`;
    const validate = this.validators.get(pointer) ?? ajv.compile({ $ref: pointer });
    this.validators.set(pointer, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  }

  private pathOf(path: string) {
    const isExact = Object.hasOwn(this.document.paths, path);
    if (isExact) return [path, this.document.paths[path]] as const;
    const found = Object.entries(this.document.paths).find(([pattern]) =>
      new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
    );
    return found ?? ([null, undefined] as const);
  }
}

function checker(document: OpenApi, instant: RegExp): Ajv2020 {
  const formats = {
    "date-time": instant,
    date: /^\d{4}-\d{2}-\d{2}$/,
    email: /^\S+@\S+$/,
    uri: /^https?:/,
    password: true,
  } as const;
  return new Ajv2020({ strict: false, allErrors: true, formats }).addSchema(document, "openapi");
}

const escaped = (part: string | number) => encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1"));

/** A client that throws when a response, or a request that succeeded, does not match the server's OpenAPI document. */
export async function describedApi(api: Api): Promise<Api> {
  const description = new Description((await api<OpenApi>("GET", "/v1/openapi.json")).body);
  return async <T>(...call: Parameters<Api>) => {
    const reply = await api<T>(...call);
    const fault = description.faultOf(call, reply);
    if (fault !== null) throw new Error(`The response does not match the OpenAPI document: ${fault}`);
    return reply;
  };
}

/** The base test, with this client beside the plain one. */
export const test = base.extend<object, { described: Api }>({
  described: [async ({ api }, use) => use(await describedApi(api)), { scope: "worker" }],
});
