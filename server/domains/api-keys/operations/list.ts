// GET /v1/api_keys: the organization's API keys, without their secrets.
import { rules } from "@/server/access/rules";
import { page } from "@/server/kit/fields";
import { countThrough, lookThrough } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { exactly } from "@/server/kit/totals";
import { presentKey } from "../present";
import { apiKey, listInput } from "../schema";
import { keySource } from "../store";

export const listApiKeys = operation({
  id: "apiKeys.list",
  summary: "List API keys",
  description: "Newest first, revoked and expired ones included. Never with a secret.",
  access: rules["apiKeys.read"],
  effect: "read",
  rest: { method: "GET", path: "/v1/api_keys", extension: true },
  input: listInput,
  output: page(apiKey),
  errors: { insufficient_permissions: 400, invalid_cursor: 400 },
  async run({ ctx, input, fail }) {
    const sources = [keySource(ctx.db, ctx.scope)];
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "api_keys",
      rows: (position, limit) => lookThrough(ctx.request, sources, position, limit),
      total: () => exactly(countThrough(ctx.request, sources)),
      present: (rows) => rows.map((row) => presentKey(row)),
    });
  },
});
