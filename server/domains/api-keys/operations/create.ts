// POST /v1/api_keys: creates a credential for programs. Its secret appears only in this response.
import { rules } from "@/server/access/rules";
import { idOf } from "@/server/kit/identity";
import { operation } from "@/server/kit/operation";
import { makeKey } from "../make";
import { apiKey, createInput } from "../schema";
import { shownOnce } from "../secret";

export const createApiKey = operation({
  id: "apiKeys.create",
  summary: "Create an API key",
  description:
    "The key belongs to the organization and outlives the user who creates it. `secret` appears only in this response. A " +
    "key that is bound to an account ends when the account is closed, and cannot carry scopes that concern the whole " +
    "organization.",
  access: rules["apiKeys.write"],
  effect: "write",
  rest: { method: "POST", path: "/v1/api_keys", extension: true },
  input: createInput,
  output: apiKey,
  secret: shownOnce,
  errors: {
    reauthentication_required: 400,
    insufficient_permissions: 400,
    email_not_verified: 400,
    account_not_found: 400,
    account_closed: 400,
    too_many_api_keys: 400,
    invalid_request: 400,
  },
  run: ({ ctx, input, fail }) => makeKey(ctx, input, idOf(ctx.actor), fail),
});
