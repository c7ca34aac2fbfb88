// POST /v1/users: who may sign up or create users, what is created with them, and one user per address.
import { eq } from "drizzle-orm";
import type { Piscina } from "piscina";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { accounts, auditEntries, events, organizations, users } from "@/db/tables";
import { getAccount } from "@/server/domains/accounts/operations/get";
import { changePassword } from "@/server/domains/sessions/operations/change-password";
import { login } from "@/server/domains/sessions/operations/login";
import { currentUser } from "@/server/domains/users/operations/current";
import type { Actor } from "@/server/kit/context";
import { callerFinder } from "@/server/kit/peer";
import { anonymous, apiKey, boundTo, newEmail, password, signIn } from "@/test/people";
import { bearer, callWith } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { createUser } from "./create-user";

let world: World;
let org: TestOrganization;
let second: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ SIGNUPS_PER_IP: "100000" });
  org = await world.organization();
  world.clock.advance(1000);
  second = await world.organization("Globex");
});
afterAll(() => world.close());

const create = (actor: Actor, more: Record<string, unknown> = {}) =>
  world.call(createUser, actor, { email: newEmail(), password, ...more });
const rowsOf = (emailKey: string) => world.runtime.db.read.select().from(users).where(eq(users.emailKey, emailKey));

it("a sign-up with a taken address waits for the same hash as one with a free address", async () => {
  const taken = newEmail();
  await create(anonymous, { email: taken });
  const pool = Reflect.get(globalThis, Symbol.for("quittance.passwords")) as Piscina;
  const hashed = vi.spyOn(pool, "run");
  const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
  const once = [[{ password, cost }, { name: "hash" }]];
  try {
    await create(anonymous);
    expect(hashed.mock.calls).toEqual(once);
    hashed.mockClear();
    expect(await refusalOf(create(anonymous, { email: taken }))).toBe("email_taken");
    expect(hashed.mock.calls).toEqual(once);
    expect(hashed.mock.settledResults).toMatchObject([{ type: "fulfilled" }]);
  } finally {
    hashed.mockRestore();
  }
});

describe("200", () => {
  it("signs anyone up in the first organization, with an individual account named after the user", async () => {
    const email = `Ada.${newEmail()}`;
    const user = await create(anonymous, { email, name: "Ada" });
    expect(user).toEqual({
      user_id: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
      organization_id: org.id,
      account_id: expect.stringMatching(/^acct_[0-9a-z]{26}$/),
      email,
      email_verified_at: null,
      name: "Ada",
      role: "member",
      status: "active",
      locale: null,
      timezone: null,
      mfa_enabled: false,
      last_login_at: null,
      created_at: new Date(world.clock.now()).toISOString(),
    });
    const account = await world.call(getAccount, org.admin.actor, { account_id: user.account_id ?? "" });
    expect(account).toMatchObject({
      account_type: "individual",
      account_name: "Ada",
      email,
      owner_user_id: user.user_id,
      status: "open",
    });
    await signIn(world, email.toLowerCase());
  });

  it("names the account after the address if there is no name, and creates it with the given fields", async () => {
    const plain = await create(anonymous);
    const account = { account_type: "business", account_name: "Works", preferences: { locale: "de" } };
    const created = await create(anonymous, { account });
    const read = (account_id: string | null) =>
      world.call(getAccount, org.admin.actor, { account_id: account_id ?? "" });
    expect(await read(plain.account_id)).toMatchObject({ account_name: plain.email, email: plain.email });
    expect(await read(created.account_id)).toMatchObject({
      account_type: "business",
      account_name: "Works",
      email: created.email,
      preferences: { locale: "de" },
    });
  });

  it("creates users of the caller's organization: any role for an admin, members for an API key", async () => {
    const key = await apiKey(world, second.id, ["users:write"]);
    expect(await create(second.admin.actor, { role: "admin" })).toMatchObject({
      role: "admin",
      organization_id: second.id,
    });
    expect(await create(key.actor, { organization_id: second.id })).toMatchObject({
      role: "member",
      organization_id: second.id,
    });
  });

  it("gives viewers and operators no account; they sign in without one", async () => {
    for (const role of ["viewer", "operator"] as const) {
      const user = await create(second.admin.actor, { role });
      expect(user).toMatchObject({ role, account_id: null });
      const { read } = world.runtime.db;
      expect(await read.$count(accounts, eq(accounts.ownerUserId, user.user_id))).toBe(0);
      await signIn(world, user.email);
      const account = { account_type: "individual", account_name: "None" };
      expect(await refusalOf(create(second.admin.actor, { role, account }))).toBe("invalid_request");
    }
  });

  it("stores the password as an Argon2id hash and never returns it", async () => {
    const user = await create(anonymous);
    const { read } = world.runtime.db;
    const [row] = await read.select().from(users).where(eq(users.id, user.user_id));
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const trail = await read.select().from(auditEntries).where(eq(auditEntries.targetId, user.user_id));
    expect(trail).toMatchObject([{ operation: "users.create", actorType: "user", actorId: user.user_id }]);
    const log = await read.select().from(events).where(eq(events.objectId, user.user_id));
    expect(log).toMatchObject([{ type: "user.created", sequence: 1, organizationId: org.id }]);
    expect(JSON.stringify([user, trail, log.map((event) => event.data)])).not.toMatch(/argon2|passphrase/);
    expect(JSON.stringify([trail, log])).not.toContain(user.email);
  });

  it("replays the response to an admin for the same Idempotency-Key", async () => {
    const input = { email: newEmail(), password };
    const request = { idempotencyKey: `create-${input.email}` };
    const first = await world.call(createUser, org.admin.actor, input, request);
    expect(await world.call(createUser, org.admin.actor, input, request)).toEqual(first);
  });

  it("ignores an Idempotency-Key on a sign-up", async () => {
    const input = { email: newEmail(), password };
    await world.call(createUser, anonymous, input, { idempotencyKey: "signup" });
    expect(await refusalOf(world.call(createUser, anonymous, input, { idempotencyKey: "signup" }))).toBe("email_taken");
  });
});

describe("a password that somebody else chose", () => {
  it("is known as one until the user changes it", async () => {
    for (const maker of [org.admin.actor, (await apiKey(world, org.id, ["users:write"])).actor]) {
      const { user_id, email } = await create(maker);
      const as = bearer((await callWith(world, login, {}, { email, password })).access_token);
      expect(await callWith(world, currentUser, as, {})).toMatchObject({ has_given_password: true });
      const change = { user_id, current_password: password, new_password: "one that nobody else knows" };
      await callWith(world, changePassword, as, change);
      expect(await callWith(world, currentUser, as, {})).toMatchObject({ has_given_password: false });
    }
  });

  it("is not assumed after a sign-up", async () => {
    const { email } = await create(anonymous);
    const { access_token } = await callWith(world, login, {}, { email, password });
    expect(await callWith(world, currentUser, bearer(access_token), {})).toMatchObject({ has_given_password: false });
  });
});

describe("400", () => {
  it("email_taken in any spelling, in any organization", async () => {
    const { email } = await create(second.admin.actor);
    for (const actor of [anonymous, org.admin.actor, second.admin.actor]) {
      expect(await refusalOf(create(actor, { email: email.toUpperCase() }))).toBe("email_taken");
    }
  });

  it("email_taken for all but one of 25 concurrent calls", async () => {
    const email = newEmail();
    const results = await Promise.allSettled(
      Array.from({ length: 25 }, (_, i) => create(anonymous, { email: i % 2 ? email : email.toUpperCase() })),
    );
    const refusals = results.filter((result) => result.status === "rejected");
    expect(refusals).toHaveLength(24);
    for (const { reason } of refusals) expect(reason).toMatchObject({ code: "email_taken" });
    expect(await rowsOf(email)).toHaveLength(1);
    const owned = await world.runtime.db.read.select().from(accounts).where(eq(accounts.emailKey, email));
    expect(owned).toHaveLength(1);
  });

  it("signup_closed for a named organization, even the first one: joining it requires an invitation", async () => {
    for (const organization_id of [org.id, second.id, "org_00000000000000000000000000", "x"]) {
      expect(await refusalOf(create(anonymous, { organization_id }))).toBe("signup_closed");
    }
  });

  it("reauthentication_required to add an admin or operator from a session that is not fresh", async () => {
    const browser = {
      ...org.admin.actor,
      sessionKind: "cookie",
      authenticatedAt: world.clock.now() - 600_001,
    } as Actor;
    expect(await refusalOf(create(browser, { role: "admin" }))).toBe("reauthentication_required");
    expect(await refusalOf(create(browser, { role: "operator" }))).toBe("reauthentication_required");
    expect((await create(browser)).role).toBe("member");
    expect((await create(browser, { role: "viewer" })).role).toBe("viewer");
    expect((await create({ ...browser, authenticatedAt: world.clock.now() } as Actor, { role: "admin" })).role).toBe(
      "admin",
    );
  });

  it("weak_password for a common one, the address itself, and the organization's name", async () => {
    const email = newEmail();
    for (const weak of ["password123", "Passw0rd!", "acme-acme-1", email, email.toUpperCase()]) {
      expect(await refusalOf(create(anonymous, { email, password: weak }))).toBe("weak_password");
    }
  });

  it("insufficient_permissions for members, and for API keys without the scope or bound to an account", async () => {
    const reader = await apiKey(world, org.id, ["users:read"]);
    const { actor: unbound } = await apiKey(world, org.id, ["users:write"]);
    for (const actor of [org.member.actor, reader.actor, boundTo(org.member.accountId, unbound)]) {
      expect(await refusalOf(create(actor))).toBe("insufficient_permissions");
    }
  });

  it("insufficient_permissions for any role but member from anyone but an admin", async () => {
    const key = await apiKey(world, org.id, ["users:write"]);
    for (const actor of [anonymous, key.actor]) {
      for (const role of ["viewer", "operator", "admin"]) {
        expect(await refusalOf(create(actor, { role }))).toBe("insufficient_permissions");
      }
    }
    expect((await create(anonymous, { role: "member" })).role).toBe("member");
  });

  it("invalid_request for an organization that is unknown or not the caller's", async () => {
    const key = await apiKey(world, org.id, ["users:write"]);
    for (const actor of [org.admin.actor, key.actor]) {
      const call = create(actor, { organization_id: second.id });
      await expect(call).rejects.toMatchObject({
        code: "invalid_request",
        message: expect.stringContaining("organization_id"),
      });
    }
  });

  it.each([
    ["email", "no address"],
    ["password", "short"],
    ["password", "x".repeat(129)],
    ["password", 12345678],
    ["name", ""],
    ["role", "owner"],
    ["account", {}],
    ["account", { account_type: "individual", account_name: "X", status: "closed" }],
    ["mfa_enabled", true],
  ])("invalid_request naming %s: %j", async (field, value) => {
    const call = create(anonymous, { [field]: value });
    await expect(call).rejects.toMatchObject({ code: "invalid_request", message: expect.stringContaining(field) });
  });
});

describe("sign-up by mode", () => {
  const refusedIn = async (settings: Record<string, string>, mode: "sandbox" | "live" | null) => {
    const other = await openWorld(settings);
    try {
      if (mode !== null) {
        const { id } = await other.organization();
        await other.runtime.db.write(async (tx) => {
          await tx.update(organizations).set({ mode }).where(eq(organizations.id, id));
        });
      }
      const call = other.call(createUser, anonymous, { email: newEmail(), password });
      return await call.then(
        () => null,
        (error: { code: string }) => error.code,
      );
    } finally {
      await other.close();
    }
  };

  it("is open in sandbox mode and closed in live mode", async () => {
    expect(await refusedIn({}, "sandbox")).toBeNull();
    expect(await refusedIn({}, "live")).toBe("signup_closed");
  });

  it.each([
    ["is listening for the network", { HOST: "0.0.0.0" }],
    ["has a public address", { APP_URL: "https://pay.example.com" }],
    ["trusts a proxy", { TRUST_PROXY: "1" }],
  ])("is closed by default where the app %s, and open if SIGNUP says so", async (_, settings) => {
    expect(await refusedIn(settings, "sandbox")).toBe("signup_closed");
    expect(await refusedIn({ ...settings, SIGNUP: "open" }, "sandbox")).toBeNull();
  });

  it("is open by default for every spelling of the loopback address", async () => {
    expect(await refusedIn({ HOST: "::1" }, "sandbox")).toBeNull();
    expect(await refusedIn({ HOST: "localhost", APP_URL: "http://[::1]:3000" }, "sandbox")).toBeNull();
  });

  it("follows SIGNUP if set", async () => {
    expect(await refusedIn({ SIGNUP: "open" }, "live")).toBeNull();
    expect(await refusedIn({ SIGNUP: "invite" }, "sandbox")).toBe("signup_closed");
    expect(await refusedIn({ SIGNUP: "closed" }, "sandbox")).toBe("signup_closed");
  });

  it("is closed before there is an organization", async () => {
    expect(await refusedIn({ SIGNUP: "open" }, null)).toBe("signup_closed");
  });
});

describe("429", () => {
  it("limits sign-ups per address and hour, including refused ones, but not an admin's calls", async () => {
    const other = await openWorld({ SIGNUPS_PER_IP: "3" });
    try {
      const { admin } = await other.organization();
      const email = newEmail();
      const signUp = (given: string, ip = "198.51.100.1") =>
        other.call(createUser, anonymous, { email: given, password }, { ip });
      await signUp(email);
      expect(await refusalOf(signUp(email))).toBe("email_taken");
      expect(await refusalOf(signUp(email))).toBe("email_taken");
      const limited = signUp(newEmail());
      await expect(limited).rejects.toMatchObject({
        code: "rate_limited",
        status: 429,
        headers: { "Retry-After": "3600" },
      });
      await signUp(newEmail(), "198.51.100.2");
      await other.call(createUser, admin.actor, { email: newEmail(), password }, { ip: "198.51.100.1" });
      other.clock.advance(3_600_000);
      await signUp(newEmail());
    } finally {
      await other.close();
    }
  });
});

describe("sign-up behind a proxy", () => {
  it("closes by default with the first request that carries X-Forwarded-For", async () => {
    const signUp = () => create(anonymous);
    await signUp();
    callerFinder(null)("127.0.0.1", "203.0.113.9");
    expect(await refusalOf(signUp())).toBe("signup_closed");
  });
});
