// The headers of requests and responses, as the document describes them.
import * as z from "zod";
import type { oas31 } from "zod-openapi";
import { limits } from "@/server/kit/limits";
import type { Operation } from "@/server/kit/operation";
import { protectiveHeaders } from "@/server/kit/protective-headers";

const described = (description: string, schema: oas31.SchemaObject, required = true): oas31.HeaderObject => ({
  description,
  required,
  schema,
});

const text = (example: string): oas31.SchemaObject => ({ type: "string", example });

const protection = Object.entries(protectiveHeaders).map(([name, value]) => [
  name,
  described("Always this value.", { type: "string", const: value }),
]);

/** Every header that responses share, by name. */
export const headerComponents: Record<string, oas31.HeaderObject> = {
  "Request-Id": described(
    "The request's id: the one that was sent, or a new one.",
    text("req_01kacz7q4v8n2j5s6t3w9x0y1r"),
  ),
  "RateLimit-Policy": described(
    "The limit `q` of calls in `w` seconds. Absent if the instance has no limit, or if the call was not counted.",
    text('"default";q=6000;w=60'),
    false,
  ),
  RateLimit: described(
    "How many calls `r` are left for the next `t` seconds. Absent where `RateLimit-Policy` is.",
    text('"default";r=5999;t=60'),
    false,
  ),
  ...Object.fromEntries(protection),
  "Strict-Transport-Security": described(
    "Only if the instance has an https address.",
    text("max-age=63072000; includeSubDomains"),
    false,
  ),
  "Retry-After": described("Seconds after which to try again.", { type: "integer", minimum: 1, example: 1 }),
  "WWW-Authenticate": described("How to authenticate.", { type: "string", const: "Bearer" }),
  ETag: described("The version of the response.", text('"Zk1vT2Qh0bJ4sW8yLx3cRA"')),
  "Idempotent-Replayed": described(
    "Present if this is the stored response to an earlier request with the same Idempotency-Key.",
    { type: "string", const: "true" },
    false,
  ),
};

const onEvery = [
  ...["Request-Id", "RateLimit-Policy", "RateLimit"],
  ...Object.keys(protectiveHeaders),
  "Strict-Transport-Security",
];

/** Whether the operation honors an Idempotency-Key. */
export const honorsKey = ({ effect, idempotent }: Operation): boolean => effect !== "read" && idempotent !== false;

/** The headers of a response: those of every response and those named. */
export const headersOf = (...names: string[]): oas31.HeadersObject =>
  Object.fromEntries([...onEvery, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The headers of an operation's success, or of its 304. */
export const headersOfSuccess = (operation: Operation): oas31.HeadersObject => ({
  ...headersOf(...(operation.rest?.etag ? ["ETag"] : []), ...(honorsKey(operation) ? ["Idempotent-Replayed"] : [])),
  ...Object.fromEntries(
    Object.entries(operation.rest?.answerHeaders ?? {}).map(([name, meaning]) => [
      name,
      described(meaning, { type: "string" }, false),
    ]),
  ),
});

const requestHeader = (schema: z.ZodString, id: string, description: string, example: string) =>
  schema.optional().meta({ description, example, param: { id, example } });

/** The headers that a request may carry. Each is one component, so there is one schema of each. */
const requestHeaders = {
  "Request-Id": requestHeader(
    z.string().max(limits.requestId),
    "Request-Id",
    "An id for logs, which the response repeats: letters, digits, `.`, `_` and `-`.",
    "trace-7f3a",
  ),
  "Idempotency-Key": requestHeader(
    z.string().min(1).max(limits.idempotencyKey),
    "Idempotency-Key",
    "Visible ASCII characters. Use a new key for each request that should have its own effect. A repeated request " +
      "with the same key gets the same response, for 30 days.",
    "9d2c1f6e-order-1042",
  ),
  "If-None-Match": requestHeader(
    z.string(),
    "If-None-Match",
    "The `ETag` of an earlier response. The response is 304 if nothing has changed since.",
    '"Zk1vT2Qh0bJ4sW8yLx3cRA"',
  ),
  "If-Match": requestHeader(
    z.string(),
    "If-Match",
    "The `ETag` of the last read. The request is refused if the record has changed since.",
    '"Zk1vT2Qh0bJ4sW8yLx3cRA"',
  ),
};

/** The headers that a request for the operation may carry. */
export function requestHeadersOf(operation: Operation): z.ZodObject {
  const isRead = operation.effect === "read";
  const hasVersion = operation.rest?.etag !== undefined;
  const { "Request-Id": requestId, "Idempotency-Key": key, "If-None-Match": known, "If-Match": last } = requestHeaders;
  return z.object({
    "Request-Id": requestId,
    ...(honorsKey(operation) ? { "Idempotency-Key": key } : {}),
    ...(hasVersion && isRead ? { "If-None-Match": known } : {}),
    ...(hasVersion && !isRead ? { "If-Match": last } : {}),
  });
}
