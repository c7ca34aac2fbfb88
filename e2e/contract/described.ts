// A client that holds every answer it gets against the description that the server itself serves.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Api, ApiReply } from "../api";
import { test as base } from "../fixtures";
import { INSTANT } from "./records";

type Json = Record<string, unknown>;
type OperationObject = { tags: string[]; responses: Record<string, Json>; parameters?: Json[] };
export type OpenApi = { openapi: string; paths: Record<string, Record<string, OperationObject>>; components: Json };

/** Finds the described operation of a call, and the schema of an answer of it. */
class Description {
  private readonly ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { "date-time": INSTANT, email: /^\S+@\S+$/, uri: /^https?:/ },
  });
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenApi) {
    this.ajv.addSchema(document, "openapi");
  }

  /** What is wrong with an answer; null when it is as described. */
  faultOf(method: string, path: string, reply: ApiReply<unknown>): string | null {
    const [pattern, operations] = this.pathOf(path.replace(/\?.*/s, ""));
    const operation = operations?.[method.toLowerCase()];
    if (!pattern || !operation) return `${method} ${path} is not described`;
    const response = operation.responses[reply.status];
    if (!response) return `${method} ${pattern} has no status ${reply.status} (${reply.text})`;
    if (reply.status === 304) return reply.text === "" ? null : "304 has a body";
    const pointer = ["paths", pattern, method.toLowerCase(), "responses", reply.status, "content", "application/json"];
    const validate = this.validator(`openapi#/${[...pointer, "schema"].map(escaped).join("/")}`);
    if (validate(reply.body)) return null;
    return `${method} ${pattern} ${reply.status}: ${this.ajv.errorsText(validate.errors)}\n${reply.text}`;
  }

  private pathOf(path: string) {
    const isExact = Object.hasOwn(this.document.paths, path);
    if (isExact) return [path, this.document.paths[path]] as const;
    const found = Object.entries(this.document.paths).find(([pattern]) =>
      new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
    );
    return found ?? ([null, undefined] as const);
  }

  private validator(pointer: string): ValidateFunction {
    const known = this.validators.get(pointer) ?? this.ajv.compile({ $ref: pointer });
    this.validators.set(pointer, known);
    return known;
  }
}

const escaped = (part: string | number) => encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1"));

/** A client that throws where an answer is not as the server's description says. */
export async function describedApi(api: Api): Promise<Api> {
  const description = new Description((await api<OpenApi>("GET", "/v1/openapi.json")).body);
  return async <T>(...call: Parameters<Api>) => {
    const [method, path] = call;
    const reply = await api<T>(...call);
    const fault = description.faultOf(method, path, reply);
    if (fault !== null) throw new Error(`The answer is not as described: ${fault}`);
    return reply;
  };
}

/** The tests' base, with such a client beside the plain one. */
export const test = base.extend<object, { described: Api }>({
  described: [async ({ api }, use) => use(await describedApi(api)), { scope: "worker" }],
});
