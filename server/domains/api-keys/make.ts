// Makes an API key: checks what it may have, stores it, and tells the admins.
import type * as z from "zod";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import { lockOrganization } from "@/server/domains/organizations/organization";
import { notifyAdmins } from "@/server/domains/users/notices";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Fail } from "@/server/kit/operation";
import { isoOrNull } from "@/server/process/clock";
import { presentKey } from "./present";
import { inOrder, notForBound } from "./rules";
import type { ApiKey, createInput } from "./schema";
import { newSecret } from "./secret";
import { countUnrevoked, insertKey } from "./store";

/** Creates the key in the context's organization. `createdBy` is the user who does so, if any. */
export async function makeKey(
  ctx: WriteContext,
  input: z.output<typeof createInput>,
  createdBy: string | null,
  fail: Fail<"invalid_request" | "account_not_found" | "account_closed" | "too_many_api_keys">,
): Promise<ApiKey> {
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
    ...{ id: ctx.id("key"), organizationId, accountId, createdBy, name: input.name, ...columns },
    scopes: inOrder(input.scopes),
    ipAllow: input.ip_allow?.length ? [...new Set(input.ip_allow)] : null,
    expiresAt,
    createdAt: ctx.now,
  });

  const about = { account_id: accountId, scopes: row.scopes };
  const detail = { ...about, ip_allow: row.ipAllow, expires_at: isoOrNull(expiresAt) };
  ctx.audit({ target: row.id, organizationId, detail });
  ctx.emit({
    ...{ type: "api_key.created", object: row.id, accountId, organizationId },
    ...{ data: { api_key_id: row.id, ...about }, first: true },
  });
  await notifyAdmins(ctx, organizationId, { notice: "api_key_created", subject: row.name });
  return presentKey(row, secret);
}
