// The interface describes itself: GET /v1/openapi.json.
import * as z from "zod";
import { rules } from "../access/rules";
import { operation } from "../kit/operation";

export const openApiDocument = operation({
  id: "documents.openapi",
  summary: "Retrieve this description",
  access: rules["documents.read"],
  effect: "read",
  rest: { method: "GET", path: "/v1/openapi.json", extension: true },
  input: z.strictObject({}),
  output: z.record(z.string(), z.unknown()).meta({ id: "OpenApiDocument" }),
  errors: {},
  async run() {
    // Loaded late: the document is made from the table that this operation stands in.
    const { openApi } = await import("./openapi");
    return openApi();
  },
});
