// The OpenAPI 3.1 document, made from the operations themselves.
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { limits } from "@/server/kit/limits";
import type { Operation } from "@/server/kit/operation";
import { describe } from "./describe";
import { headerComponents } from "./headers";
import { errorSchemas, refusalsOf, responseComponents, withoutOperation } from "./responses";
import { tags } from "./tags";

type Document = Record<string, unknown>;
type Table = Record<string, Record<string, Operation>>;

/** Every operation of a table that has a REST path, in order. */
export const onRest = (operations: Table): Operation[] =>
  Object.values(operations).flatMap((verbs) => Object.values(verbs).filter(({ rest }) => rest !== undefined));

const introduction = [
  "Success is always 200, creation included. A refusal's body has exactly two fields, error_code and error_description.",
  "If credentials are missing or invalid, every operation that needs them responds with 401 `unauthorized`. The other",
  "protocol failures also keep their own statuses (404, 405, 409, 413, 415, 429, 500, 503). All other refusals of an",
  "operation have the one status documented for it.",
  `A message that is not valid HTTP, arrives too slowly or has headers of more than ${limits.headerBytes / 1024} KiB`,
  "gets 400, 408 or 431 `invalid_request`.",
  "\n\nAn unknown path gets 404 `unknown_path`. A method that a path does not have gets 405",
  "`method_not_allowed`, with `Allow`.",
  "\n\nIn a query, a list is written with commas (`status=paid,refunded`) and metadata with its key in brackets",
  "(`metadata[order]=A-1042`). A list may also be written by repeating its parameter; no other parameter may be given",
  "twice.",
  "\n\nOperations marked `x-extension` extend the core interface, in the same style. `x-api-key-scope` names the scope",
  "with which an API key may call an operation, or is `any` if every key may. If it is absent from an operation that",
  "needs a credential, no API key may call it. A key that is bound to an account may leave out `account_id`.",
].join(" ");

/** Leaves out `param`, which zod-openapi keeps in schemas with a reference, and which JSON Schema does not know. */
const withoutParam = (name: string, value: unknown): unknown => (name === "param" ? undefined : value);

/** The document of a table of operations. */
export function openApiOf(operations: Table): Document {
  const all = onRest(operations);
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of all) {
    const { path = "", method = "" } = operation.rest ?? {};
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation) };
  }
  const codes = new Set(all.flatMap((operation) => refusalsOf(operation).map(([code]) => code)));
  const document = createDocument({
    openapi: "3.1.1",
    info: {
      title: "Quittance",
      version: "1",
      description: introduction,
      license: { name: "UNLICENSED", identifier: "LicenseRef-UNLICENSED" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: [...tags],
    paths: paths as ZodOpenApiPathsObject,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An access token (qtat_…) or an API key (qtsk_…)." },
        refreshToken: { type: "http", scheme: "bearer", description: "A refresh token (qtrt_…)." },
      },
      schemas: errorSchemas([...withoutOperation, ...codes].sort()),
      headers: headerComponents,
      responses: responseComponents,
    },
  });
  return JSON.parse(JSON.stringify(document, withoutParam)) as Document;
}
