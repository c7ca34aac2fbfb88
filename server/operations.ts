// The table of all operations. The tRPC router, the REST routes and the OpenAPI document are made from it.
import { openApiDocument } from "./documents/openapi-operation";

export const operations = {
  documents: { openapi: openApiDocument },
};
