// POST /v1/api_keys/{api_key_id}/rotate: gives an API key a new secret; the previous one works for a while longer.
import { rules } from "@/server/access/rules";
import { notifyAdmins } from "@/server/domains/users/notices";
import { idOf } from "@/server/kit/identity";
import { operation } from "@/server/kit/operation";
import { presentKey } from "../present";
import { overlapOf } from "../rules";
import { apiKey, rotateInput } from "../schema";
import { newSecret, shownOnce } from "../secret";
import { lockKey, updateKey } from "../store";

export const rotateApiKey = operation({
  id: "apiKeys.rotate",
  summary: "Rotate an API key",
  description:
    "The key keeps its identifier and gets a new secret, which appears only in this response. At most two secrets work: " +
    "one from before an earlier rotation ends at once.",
  access: rules["apiKeys.write"],
  effect: "write",
  rest: { method: "POST", path: "/v1/api_keys/{api_key_id}/rotate", extension: true },
  input: rotateInput,
  output: apiKey,
  secret: shownOnce,
  errors: {
    reauthentication_required: 400,
    insufficient_permissions: 400,
    email_not_verified: 400,
    api_key_not_found: 400,
    invalid_request: 400,
  },
  async run({ ctx, input, fail }) {
    const row = (await lockKey(ctx.db, ctx.scope.organizationId, input.api_key_id)) ?? fail("api_key_not_found");
    const expiresAt = input.expires_at ?? row.expiresAt;
    if (input.expires_at !== undefined) {
      if (input.expires_at <= ctx.now) return fail("invalid_request", "expires_at: must be in the future");
      if (row.expiresAt !== null && input.expires_at > row.expiresAt) {
        return fail("invalid_request", "expires_at: must not be later than the current expiry");
      }
    }
    if (expiresAt !== null && expiresAt <= ctx.now) {
      return fail("invalid_request", "api_key_id: the key has expired; create another one");
    }
    const { secret, columns } = newSecret();
    const rotated = await updateKey(ctx.db, row.id, {
      ...columns,
      ...overlapOf(row, input.overlap_hours, ctx.now),
      expiresAt,
      rotatedAt: ctx.now,
      rotatedBy: idOf(ctx.actor),
    });

    ctx.audit({ target: row.id, detail: { overlap_hours: input.overlap_hours } });
    ctx.emit({
      ...{ type: "api_key.rotated", object: row.id, accountId: row.accountId },
      data: { api_key_id: row.id, account_id: row.accountId, overlap_hours: input.overlap_hours },
    });
    await notifyAdmins(ctx, ctx.scope.organizationId, { notice: "api_key_rotated", subject: row.name });
    return presentKey(rotated, secret);
  },
});
