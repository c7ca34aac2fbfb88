// Access tokens make admins, operators and API keys only soon after a sign-in. Refreshing them is no sign-in.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { users } from "@/db/tables";
import { limits, minuteMs } from "@/server/kit/limits";
import { operations } from "@/server/pipeline/operations";
import { apiKey, newEmail } from "@/test/people";
import { bearer, callWith, givePassword, signInAs } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";

const { apiKeys, invitations, sessions, users: people } = operations;
const stale = "reauthentication_required";

let world: World;
let org: TestOrganization;
let admin: TestUser;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  admin = await world.user(org.id, "admin");
  await givePassword(world, admin);
  await world.runtime.db.write(async (tx) => {
    await tx.update(users).set({ emailVerifiedAt: world.clock.now() }).where(eq(users.id, admin.id));
  });
});
afterAll(() => world.close());

const password = "an entirely new passphrase";
type Token = ReturnType<typeof bearer>;

/** A token whose sign-in was `age` milliseconds ago. */
async function tokenOf(age: number): Promise<Token> {
  const pair = await signInAs(world, admin);
  world.clock.advance(age);
  const { access_token } = await callWith(world, sessions.refresh, bearer(pair.refresh_token), {});
  return bearer(access_token);
}

/** What makes admins, operators and API keys. */
const making: Record<string, (token: Token) => Promise<unknown>> = {
  ...Object.fromEntries(
    (["operator", "admin"] as const).flatMap((role) => [
      [
        `creating an ${role}`,
        (token: Token) => callWith(world, people.create, token, { email: newEmail(), password, role }),
      ],
      [
        `inviting an ${role}`,
        (token: Token) => callWith(world, invitations.create, token, { email: newEmail(), role }),
      ],
      [
        `promoting to ${role}`,
        async (token: Token) => callWith(world, people.update, token, { user_id: (await world.user(org.id)).id, role }),
      ],
    ]),
  ),
  "creating an API key": (token) => callWith(world, apiKeys.create, token, { name: "Till", scopes: ["payments:read"] }),
  "rotating an API key": async (token) =>
    callWith(world, apiKeys.rotate, token, { api_key_id: (await apiKey(world, org.id, ["payments:read"])).id }),
};

/** What an admin may do with a token of any age. */
const others: Record<string, (token: Token) => Promise<unknown>> = {
  "creating a member": (token) => callWith(world, people.create, token, { email: newEmail(), password }),
  "creating a viewer": (token) =>
    callWith(world, people.create, token, { email: newEmail(), password, role: "viewer" }),
  "inviting a viewer": (token) => callWith(world, invitations.create, token, { email: newEmail(), role: "viewer" }),
  "removing an operator": async (token) =>
    callWith(world, people.remove, token, { user_id: (await world.user(org.id, "operator")).id }),
  "revoking an API key": async (token) =>
    callWith(world, apiKeys.revoke, token, { api_key_id: (await apiKey(world, org.id, ["payments:read"])).id }),
};

it.each(Object.keys(making))(
  "%s works for ten minutes after the sign-in, and not with a refreshed token later",
  async (name) => {
    const make = making[name];
    if (!make) throw new Error(name);
    const token = await tokenOf(limits.freshSignInMinutes * minuteMs);
    await make(token);
    world.clock.advance(1);
    expect(await refusalOf(make(token))).toBe(stale);
  },
);

it.each(Object.keys(others))("%s needs no recent sign-in", async (name) => {
  await others[name]?.(await tokenOf(limits.freshSignInMinutes * minuteMs + 1));
});

it("a refusal is not kept with the Idempotency-Key, so that the call works again after a sign-in", async () => {
  const once = { idempotencyKey: "make-once" };
  const input = { email: newEmail(), password, role: "admin" } as const;
  const old = await tokenOf(limits.freshSignInMinutes * minuteMs + 1);
  expect(await refusalOf(callWith(world, people.create, { ...old, ...once }, input))).toBe(stale);
  expect(await callWith(world, people.create, { ...(await tokenOf(0)), ...once }, input)).toMatchObject({
    role: "admin",
  });
});
