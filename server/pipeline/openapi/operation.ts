// The API describes itself: GET /v1/openapi.json.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { operation } from "@/server/kit/operation";

/** The operation that returns the document. It is itself in the table that the document is made from. */
export const openApiOperation = (document: () => Record<string, unknown>) =>
  operation({
    id: "documents.openapi",
    summary: "Retrieve this document",
    description: "The OpenAPI description of this server's API. No credential is needed.",
    access: rules["documents.read"],
    effect: "read",
    rest: { method: "GET", path: "/v1/openapi.json", extension: true },
    input: z.strictObject({}),
    output: z.record(z.string(), z.unknown()).meta({ id: "OpenApiDocument" }),
    errors: {},
    run: async () => document(),
  });
