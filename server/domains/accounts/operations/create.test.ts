// POST /v1/accounts: who owns the new account, and what is refused.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditEntries, events, users } from "@/db/tables";
import { closeAccountOf } from "@/test/closing";
import { anonymous, apiKey } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { createAccount } from "./create";

let world: World;
let org: TestOrganization;
let foreign: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  foreign = await world.organization("Globex");
});
afterAll(() => world.close());

const input = { account_type: "business", account_name: "Bakery", email: "Bakery@Example.com" } as const;

describe("200", () => {
  it("creates a member's account with every field", async () => {
    const account = await world.call(createAccount, org.member.actor, {
      ...input,
      preferences: { default_currency: "eur", notifications: { paid: true } },
      metadata: { shop: "1" },
    });
    const at = new Date(world.clock.now()).toISOString();
    expect(account).toEqual({
      account_id: expect.stringMatching(/^acct_[0-9a-z]{26}$/),
      organization_id: org.id,
      account_type: "business",
      account_name: "Bakery",
      email: "Bakery@Example.com",
      preferences: {
        default_currency: "EUR",
        locale: null,
        timezone: null,
        statement_descriptor: null,
        reminder_hour: null,
        notifications: { paid: true },
        branding: { color: null, logo_url: null },
        invoice: {
          ...{ legal_name: null, address: null, tax_id: null, number_prefix: null, footer: null },
          prefix_conflict: null,
        },
      },
      status: "open",
      owner_user_id: org.member.id,
      balances: [],
      metadata: { shop: "1" },
      created_at: at,
      updated_at: at,
      closed_at: null,
    });
  });

  it("audits the caller and emits an event without personal data", async () => {
    const { account_id: id } = await world.call(createAccount, org.member.actor, input);
    const { read } = world.runtime.db;
    const [entry] = await read.select().from(auditEntries).where(eq(auditEntries.targetId, id));
    expect(entry).toMatchObject({ operation: "accounts.create", actorType: "user", actorId: org.member.id });
    const [event] = await read.select().from(events).where(eq(events.objectId, id));
    expect(event).toMatchObject({ type: "account.created", sequence: 1, accountId: id, organizationId: org.id });
    expect(JSON.stringify([entry, event])).not.toMatch(/bakery/i);
  });

  it("allows an admin or an API key to name an owner or none", async () => {
    const key = await apiKey(world, org.id, ["accounts:write"]);
    for (const actor of [org.admin.actor, key.actor]) {
      const named = await world.call(createAccount, actor, { ...input, owner_user_id: org.other.id });
      expect(named.owner_user_id).toBe(org.other.id);
      const ownerless = await world.call(createAccount, actor, { ...input, owner_user_id: null });
      expect(ownerless.owner_user_id).toBeNull();
    }
    expect((await world.call(createAccount, org.admin.actor, input)).owner_user_id).toBe(org.admin.id);
    expect((await world.call(createAccount, key.actor, input)).owner_user_id).toBeNull();
  });

  it("becomes the current account of an owner without an open one", async () => {
    const { runtime } = world;
    const user = await world.user(org.id);
    await runtime.db.write(async (tx) => {
      await tx.update(users).set({ accountId: null }).where(eq(users.id, user.id));
    });
    const { account_id } = await world.call(createAccount, user.actor, input);
    await world.call(createAccount, user.actor, input);
    const [row] = await runtime.db.read.select().from(users).where(eq(users.id, user.id));
    expect(row?.accountId).toBe(account_id);
  });
});

describe("400", () => {
  const refused = (actor: TestOrganization["admin"]["actor"], more: Record<string, unknown>) =>
    refusalOf(world.call(createAccount, actor, { ...input, ...more } as typeof input));

  it("a member can name only themselves as owner", async () => {
    expect(await refused(org.member.actor, { owner_user_id: org.other.id })).toBe("insufficient_permissions");
    expect(await refused(org.member.actor, { owner_user_id: null })).toBe("insufficient_permissions");
    const own = await world.call(createAccount, org.member.actor, { ...input, owner_user_id: org.member.id });
    expect(own.owner_user_id).toBe(org.member.id);
  });

  it("answers an owner of another organization like an unknown one", async () => {
    for (const owner_user_id of [foreign.member.id, "usr_00000000000000000000000000", "x"]) {
      expect(await refused(org.admin.actor, { owner_user_id })).toBe("user_not_found");
    }
  });

  it("refuses anonymous callers, keys without the scope and keys bound to an account", async () => {
    const reader = await apiKey(world, org.id, ["accounts:read"]);
    const bound = await apiKey(world, org.id, ["accounts:write"], { accountId: org.member.accountId });
    for (const actor of [anonymous, reader.actor, bound.actor]) {
      expect(await refused(actor, {})).toBe("insufficient_permissions");
    }
  });

  it.each([
    ["account_type", "trust"],
    ["account_name", ""],
    ["account_name", "x".repeat(121)],
    ["email", "no address"],
    ["preferences", { default_currency: "XXQ" }],
    ["preferences", { locale: "not a locale" }],
    ["preferences", { timezone: "Mars/Base" }],
    ["preferences", { branding: { color: "red" } }],
    ["preferences", { branding: { logo_url: "https://example.com/x.png" } }],
    ["preferences", { statement_descriptor: "x".repeat(23) }],
    ["preferences", { notifications: { "Bad Name": true } }],
    ["metadata", { "bad key": "x" }],
    ["metadata", { a: 1 }],
    ["status", "closed"],
    ["balances", []],
  ])("refuses %s: %j", async (field, value) => {
    expect(await refused(org.member.actor, { [field]: value })).toBe("invalid_request");
  });
});

describe("400 too_many_accounts", () => {
  it("if a member would own more than the limit, including closed accounts, also under concurrency", async () => {
    const small = await openWorld({ ACCOUNTS_PER_OWNER: "3" });
    const { member, admin } = await small.organization();
    const input = { account_type: "individual", account_name: "More", email: "more@example.com" } as const;
    const make = (actor = member.actor, given: object = {}) => small.call(createAccount, actor, { ...input, ...given });
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => make()));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    await closeAccountOf(small, member.actor, member.accountId);
    expect(await refusalOf(make())).toBe("too_many_accounts");
    expect(await refusalOf(make(admin.actor, { owner_user_id: member.id }))).toBe("too_many_accounts");
    for (let i = 0; i < 4; i++) await make(admin.actor);
    await make(admin.actor, { owner_user_id: null });
    await small.close();
  });
});
