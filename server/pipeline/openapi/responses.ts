// The responses of an operation: its success, and every refusal by status, with the codes that it can have.
import * as z from "zod";
import type { oas31, ZodOpenApiOperationObject, ZodOpenApiResponseObject } from "zod-openapi";
import { type ErrorCode, errorMeanings, type ProtocolCode, protocolErrors } from "@/server/kit/errors";
import type { Operation } from "@/server/kit/operation";
import { responseExampleOf } from "./examples";
import { headersOf, headersOfSuccess, honorsKey } from "./headers";

/** The fields of every refusal's body; a response narrows the codes to its own. */
export const errorSchemas = (codes: readonly ErrorCode[]): Record<string, oas31.SchemaObject> => ({
  ErrorCode: {
    description: "Machine-readable identifier of the failure.",
    type: "string",
    enum: [...codes],
  },
  Error: {
    type: "object",
    properties: {
      error_code: { $ref: "#/components/schemas/ErrorCode" },
      error_description: { description: "Detailed explanation of the failure.", type: "string" },
    },
    required: ["error_code", "error_description"],
    additionalProperties: false,
  },
});

/** Statuses whose response is the same wherever it occurs, with their only code. */
const shared = new Map<number, ProtocolCode>([
  [401, "unauthorized"],
  [409, "idempotency_key_in_use"],
  [413, "payload_too_large"],
  [415, "unsupported_media_type"],
  [429, "rate_limited"],
  [500, "internal_error"],
  [503, "unavailable"],
]);

const nameOf = (code: string) => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The responses that operations share, as components. */
export const responseComponents: Record<string, ZodOpenApiResponseObject> = Object.fromEntries(
  [...shared].map(([status, code]) => [nameOf(code), refusalOf(status, [code], false)]),
);

/** Every response of the operation. */
export function responsesOf(operation: Operation): ZodOpenApiOperationObject["responses"] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const [code, status] of refusalsOf(operation)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  const refusals = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [status, referenceTo(status, codes) ?? refusalOf(status, codes, honorsKey(operation))]);
  const headers = headersOfSuccess(operation);
  const isVersioned = operation.rest?.etag !== undefined && operation.effect === "read";
  return {
    200: { description: "Success.", headers, content: contentOf(operation) },
    ...(isVersioned ? { 304: { description: "The response that `If-None-Match` names is current.", headers } } : {}),
    ...Object.fromEntries(refusals),
  };
}

function contentOf(operation: Operation): ZodOpenApiResponseObject["content"] {
  const { rest, output } = operation;
  if (!rest?.mediaTypes) return { "application/json": { schema: output, example: responseExampleOf(operation) } };
  const files = responseExampleOf(operation) as Record<string, string>;
  return Object.fromEntries(rest.mediaTypes.map((type) => [type, { schema: z.string(), example: files[type] }]));
}

function referenceTo(status: number, codes: readonly ErrorCode[]): oas31.ReferenceObject | null {
  const [only, another] = codes;
  if (only === undefined || another !== undefined || shared.get(status) !== only) return null;
  return { $ref: `#/components/responses/${nameOf(only)}` };
}

/** The response of a refusal. A replayed one says so, except with a status that is never stored. */
function refusalOf(status: number, codes: readonly ErrorCode[], mayBeReplayed: boolean): ZodOpenApiResponseObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorMeanings[code]}`).join("\n\n"),
    headers: headersOf(
      ...(status === 401 ? ["WWW-Authenticate"] : []),
      ...([409, 429, 503].includes(status) ? ["Retry-After"] : []),
      ...(mayBeReplayed && status !== 401 ? ["Idempotent-Replayed"] : []),
    ),
    content: {
      "application/json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/Error" },
            {
              type: "object",
              properties: { error_code: { type: "string", enum: [...codes] } },
              required: ["error_code"],
            },
          ],
        },
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: { error_code: code, error_description: errorMeanings[code] } }]),
        ),
      },
    },
  };
}

/** Every code that the operation can return, and its status. */
export function refusalsOf(operation: Operation): [ErrorCode, number][] {
  const { access, errors, rest } = operation;
  const codes = new Map<ErrorCode, number>(Object.entries(protocolErrors) as [ErrorCode, number][]);
  for (const code of withoutOperation) codes.delete(code);
  if (access.credential === "ignored") codes.delete("unauthorized");
  if (rest?.method === "GET") {
    for (const code of ["invalid_json", "payload_too_large", "unsupported_media_type"] as const) codes.delete(code);
  }
  if (honorsKey(operation)) codes.set("idempotency_key_reused", 400);
  else codes.delete("idempotency_key_in_use");
  if (access.credential !== "ignored") codes.set("insufficient_permissions", 400);
  if (access.credential !== "ignored" && !access.worksWithoutFactor) codes.set("mfa_enrollment_required", 400);
  for (const [code, status] of Object.entries(errors)) codes.set(code as ErrorCode, status);
  return [...codes];
}

/** Codes of requests that name no operation. */
export const withoutOperation = ["unknown_path", "method_not_allowed"] as const;
