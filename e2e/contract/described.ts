// A client that checks every response, and every accepted request, against the OpenAPI document that the server serves.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Api, ApiReply } from "../api";
import { test as base } from "../fixtures";
import { INSTANT } from "./records";

type Json = Record<string, unknown>;
type OperationObject = {
  tags: string[];
  responses: Record<string, Json>;
  parameters?: { name: string; in: string }[];
  requestBody?: Json;
};
export type OpenApi = { openapi: string; paths: Record<string, Record<string, OperationObject>>; components: Json };

/** Finds the documented operation of a call and the schemas of its responses. */
class Description {
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly requests: Ajv2020;
  private readonly answers: Ajv2020;

  constructor(private readonly document: OpenApi) {
    // Requests may use any UTC offset for an instant; responses always use one form.
    this.requests = checker(document, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
    this.answers = checker(document, INSTANT);
  }

  /** What violates the document, in the response or in the accepted request; null if nothing does. */
  faultOf([method, path, request]: Parameters<Api>, reply: ApiReply<unknown>): string | null {
    const url = new URL(path, "http://localhost");
    const [pattern, operations] = this.pathOf(url.pathname);
    const operation = operations?.[method.toLowerCase()];
    if (!pattern || !operation) return `${method} ${path} is not described`;
    const at = ["paths", pattern, method.toLowerCase()];
    if (reply.status === 200) {
      const fault = this.faultOfRequest(at, operation, url.searchParams, request?.body);
      if (fault !== null) return `${method} ${path} accepted what is not described: ${fault}`;
    }
    if (!operation.responses[reply.status]) return `${method} ${pattern} has no status ${reply.status} (${reply.text})`;
    if (reply.status === 304) return reply.text === "" ? null : "304 has a body";
    const fault = this.faultOfJson(this.answers, [...at, "responses", reply.status], reply.body);
    return fault === null ? null : `${method} ${pattern} ${reply.status}: ${fault}\n${reply.text}`;
  }

  private faultOfRequest(
    at: string[],
    operation: OperationObject,
    query: URLSearchParams,
    body: unknown,
  ): string | null {
    const known = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
    for (const name of query.keys()) {
      const [base] = name.split("[");
      if (!known.some((parameter) => parameter.name === base)) return `the query's ${name}`;
    }
    if (body === undefined) return null;
    return operation.requestBody ? this.faultOfJson(this.requests, [...at, "requestBody"], body) : "a body";
  }

  private faultOfJson(ajv: Ajv2020, at: (string | number)[], value: unknown): string | null {
    const pointer = `openapi#/${[...at, "content", "application/json", "schema"].map(escaped).join("/")}`;
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
  const formats = { "date-time": instant, email: /^\S+@\S+$/, uri: /^https?:/, password: true } as const;
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
