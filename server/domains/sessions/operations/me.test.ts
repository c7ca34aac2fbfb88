// GET /v1/me: what users and API keys learn about themselves.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { organizations } from "@/db/tables";
import { boundScopes } from "@/server/access/key-scopes";
import { createAccount } from "@/server/domains/accounts/operations/create";
import { hourMs } from "@/server/kit/limits";
import { closeAccountOf } from "@/test/closing";
import { apiKey } from "@/test/people";
import { bearer, callWith, signInAs, signInByCookie } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { readMe } from "./me";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

it("says who the user of an access token is, with the session and the end of the token", async () => {
  const user = await world.user(org.id);
  const pair = await signInAs(world, user);
  const again = { account_type: "business", account_name: "Second", email: "second@example.com" } as const;
  world.clock.advance(1);
  const second = await world.call(createAccount, user.actor, again);
  const closed = await world.call(createAccount, user.actor, again);
  await closeAccountOf(world, user.actor, closed.account_id);
  expect(await callWith(world, readMe, bearer(pair.access_token), {})).toEqual({
    ...{ type: "user", id: user.id, name: `User ${user.id.slice(-4)}`, organization_id: org.id, livemode: false },
    ...{ role: "member", scopes: null, account_id: user.accountId, account_ids: [user.accountId, second.account_id] },
    ...{ session_id: pair.session_id, expires_at: pair.expires_at },
  });
});

it("works in the dashboard, where the session ends if it is not used", async () => {
  const user = await world.user(org.id, "operator");
  const cookie = await signInByCookie(world, user);
  const me = await callWith(world, readMe, { cookie: cookie.replace("quittance_session=", "") }, {});
  expect(me).toMatchObject({ type: "user", id: user.id, role: "operator" });
  const idle = world.runtime.env.dashboardSessionIdleMs;
  expect(me.expires_at).toBe(new Date(world.clock.now() + idle).toISOString());
});

it("says what a key may do, and that it has no account of its own", async () => {
  const key = await apiKey(world, org.id, ["payments:read", "payments:write"]);
  expect(await callWith(world, readMe, bearer(key.token), {})).toEqual({
    ...{ type: "api_key", id: key.id, name: "Test", organization_id: org.id, livemode: false },
    ...{ role: null, scopes: ["payments:read", "payments:write"], account_id: null, account_ids: [] },
    ...{ session_id: null, expires_at: null },
  });
});

it("names the account and the expiry of a bound key, whatever its scopes", async () => {
  const { accountId } = org.member;
  const expiresAt = world.clock.now() + hourMs;
  for (const scope of boundScopes) {
    const key = await apiKey(world, org.id, [scope], { accountId, expiresAt });
    expect(await callWith(world, readMe, bearer(key.token), {})).toMatchObject({
      ...{ scopes: [scope], account_id: accountId, account_ids: [accountId] },
      expires_at: new Date(expiresAt).toISOString(),
    });
  }
});

it("says whether the organization moves real money", async () => {
  const own = await world.organization("Live");
  await world.runtime.db.write(async (tx) => {
    await tx.update(organizations).set({ mode: "live" }).where(eq(organizations.id, own.id));
  });
  expect(await world.call(readMe, own.member.actor, {})).toMatchObject({ livemode: true, expires_at: null });
});

it("needs a credential", async () => {
  expect(await refusalOf(callWith(world, readMe, {}, {}))).toBe("unauthorized");
});
