// DELETE /v1/api_keys/{api_key_id}: ends an API key with all its secrets.
import { rules } from "@/server/access/rules";
import { operation } from "@/server/kit/operation";
import { presentKey } from "../present";
import { announceRevocation } from "../revoke-with";
import { apiKey, revokeInput } from "../schema";
import { lockKey, updateKey } from "../store";

export const revokeApiKey = operation({
  id: "apiKeys.revoke",
  summary: "Revoke an API key",
  description: "Permanent. Every secret of the key is refused from the next request on. The key stays in the list.",
  access: rules["apiKeys.revoke"],
  effect: "write",
  rest: { method: "DELETE", path: "/v1/api_keys/{api_key_id}", extension: true },
  input: revokeInput,
  output: apiKey,
  errors: {
    reauthentication_required: 400,
    insufficient_permissions: 400,
    api_key_not_found: 400,
  },
  async run({ ctx, input, fail }) {
    const row = (await lockKey(ctx.db, ctx.scope.organizationId, input.api_key_id)) ?? fail("api_key_not_found");
    const revoked = await updateKey(ctx.db, row.id, {
      ...{ revokedAt: ctx.now, revokeReason: "revoked" },
      ...{ previousHash: null, previousUntil: null },
    });
    ctx.audit({ target: row.id });
    announceRevocation(ctx, revoked);
    return presentKey(revoked);
  },
});
