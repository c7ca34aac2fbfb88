// The table of all operations. The tRPC router, the REST routes and the OpenAPI document are made from it.
import { openApiOf } from "./documents/openapi";
import { openApiOperation } from "./documents/openapi-operation";

export const operations = {
  documents: { openapi: openApiOperation(() => describe()) },
};

let description: Record<string, unknown> | undefined;

/** The OpenAPI document of this table; made once per process. */
function describe(): Record<string, unknown> {
  description ??= openApiOf(operations);
  return description;
}
