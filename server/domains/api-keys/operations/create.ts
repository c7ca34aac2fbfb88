// POST /v1/api_keys: creates a credential for programs. Its secret appears only in this response.
import { rules } from "@/server/access/rules";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import { lockOrganization } from "@/server/domains/organizations/organization";
import { notifyAdmins } from "@/server/domains/users/notices";
import { idOf } from "@/server/kit/identity";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { isoOrNull } from "@/server/process/clock";
import { presentKey } from "../present";
import { inOrder, notForBound } from "../rules";
import { apiKey, createInput } from "../schema";
import { newSecret, shownOnce } from "../secret";
import { countUnrevoked, insertKey } from "../store";

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
  async run({ ctx, input, fail }) {
    const { organizationId } = ctx.scope;
    const expiresAt = input.expires_at ?? null;
    if (expiresAt !== null && expiresAt <= ctx.now) return fail("invalid_request", "expires_at: must be in the future");
    const excluded = input.account_id ? notForBound(input.scopes) : [];
    if (excluded.length > 0) {
      return fail("invalid_request", `scopes: a key that is bound to an account cannot carry ${excluded.join(", ")}`);
    }

    // So that the keys can be counted before one is inserted.
    await lockOrganization(ctx.db, organizationId);
    const accountId = input.account_id ? (await accountFor(ctx, input.account_id, fail)).id : null;
    if ((await countUnrevoked(ctx.db, organizationId)) >= limits.apiKeys) return fail("too_many_api_keys");
    const { secret, columns } = newSecret();
    const row = await insertKey(ctx.db, {
      ...{ id: ctx.id("key"), organizationId, accountId, createdBy: idOf(ctx.actor), name: input.name, ...columns },
      scopes: inOrder(input.scopes),
      ipAllow: input.ip_allow?.length ? [...new Set(input.ip_allow)] : null,
      expiresAt,
      createdAt: ctx.now,
    });

    const about = { account_id: accountId, scopes: row.scopes };
    ctx.audit({ target: row.id, detail: { ...about, ip_allow: row.ipAllow, expires_at: isoOrNull(expiresAt) } });
    ctx.emit({
      ...{ type: "api_key.created", object: row.id, accountId },
      ...{ data: { api_key_id: row.id, ...about }, first: true },
    });
    await notifyAdmins(ctx, organizationId, { notice: "api_key_created", subject: row.name });
    return presentKey(row, secret);
  },
});
