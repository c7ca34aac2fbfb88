// GET /v1/me: who the credential belongs to, and what it may use.
import * as z from "zod";
import { userRoles } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { listOpenIds } from "@/server/domains/accounts/store";
import { findKey } from "@/server/domains/api-keys/store";
import { isLive } from "@/server/domains/organizations/organization";
import { readUser } from "@/server/domains/users/store";
import type { Actor, ReadContext } from "@/server/kit/context";
import { idOut, timestamp } from "@/server/kit/fields";
import { apiKeyOf, userOf } from "@/server/kit/identity";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { isoOrNull } from "@/server/process/clock";
import { endOfCredential } from "../credential-end";

const me = z
  .strictObject({
    type: z.enum(["user", "api_key"]),
    id: z.string().meta({ description: "The user or the API key.", example: "key_01kacz7q4v8n2j5s6t3w9x0y1r" }),
    name: z.string().nullable(),
    organization_id: idOut("org", "The caller's organization."),
    livemode: z.boolean().meta({ description: "Whether the organization moves real money." }),
    role: z.enum(userRoles).nullable().meta({ description: "Of a user; null for an API key." }),
    scopes: z
      .array(z.string())
      .nullable()
      .meta({ description: "Of an API key; null for a user.", example: ["payments:read", "payments:write"] }),
    account_id: idOut("acct", "The account that the user acts for by default, or that the key is bound to.").nullable(),
    account_ids: z.array(idOut("acct", "An account.")).meta({
      description:
        `The open accounts that the user owns, oldest first, at most ${limits.page.max}; of an API key, the account that ` +
        "it is bound to. A key for the whole organization has none of its own.",
    }),
    session_id: idOut("ses", "The session of a user; null for an API key.").nullable(),
    expires_at: timestamp
      .nullable()
      .meta({ description: "When the credential ends; null for an API key without an expiry." }),
  })
  .meta({ id: "Me", description: "The caller behind a credential." });

export const readMe = operation({
  id: "me.get",
  summary: "Retrieve the caller",
  description: "The user or the API key that the credential belongs to. Every credential may call it.",
  access: rules["me.read"],
  effect: "read",
  rest: { method: "GET", path: "/v1/me", extension: true },
  input: z.strictObject({}),
  output: me,
  errors: { insufficient_permissions: 400 },
  async run({ ctx, fail }) {
    const user = userOf(ctx.actor);
    if (user) return { ...(await shared(ctx, user)), ...(await ofUser(ctx, user)) };
    const key = apiKeyOf(ctx.actor) ?? fail("insufficient_permissions");
    return { ...(await shared(ctx, key)), ...(await ofKey(ctx, key)) };
  },
});

type User = Extract<Actor, { type: "user" }>;
type Key = Extract<Actor, { type: "api_key" }>;

const shared = async ({ db }: ReadContext, { organizationId }: User | Key) => ({
  organization_id: organizationId,
  livemode: await isLive(db, organizationId),
});

async function ofUser(ctx: ReadContext, { userId, organizationId, role, sessionId }: User) {
  const row = await readUser(ctx.db, userId);
  const owned = await listOpenIds(ctx.db, organizationId, userId, limits.page.max);
  return {
    ...{ type: "user" as const, id: userId, name: row?.name ?? null, role, scopes: null },
    ...{ account_id: row?.accountId ?? null, account_ids: owned, session_id: sessionId },
    expires_at: isoOrNull(await endOfCredential(ctx)),
  };
}

async function ofKey(ctx: ReadContext, { keyId, organizationId, scopes, accountId }: Key) {
  const row = await findKey(ctx.db, organizationId, keyId);
  return {
    ...{ type: "api_key" as const, id: keyId, name: row?.name ?? null, role: null, scopes: [...scopes] },
    ...{ account_id: accountId, account_ids: accountId === null ? [] : [accountId], session_id: null },
    expires_at: isoOrNull(row?.expiresAt ?? null),
  };
}
