// API keys through their operations: creating, listing, rotating, revoking, and what each key may then do.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiKeys, auditEntries, events, idempotencyKeys, users } from "@/db/tables";
import { scopes } from "@/server/access/key-scopes";
import { getAccount } from "@/server/domains/accounts/operations/get";
import { listAccounts } from "@/server/domains/accounts/operations/list";
import type { Actor } from "@/server/kit/context";
import { hourMs, limits, minuteMs } from "@/server/kit/limits";
import { insertApiKeys } from "@/test/api-keys";
import { closeAccountOf, removeAndKeepKeys } from "@/test/closing";
import { callWith, newPerson } from "@/test/people";
import { callWith as callBy, signInByCookie } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { createApiKey } from "./create";
import { apiKeyDetails, apiKeysLeftBehind } from "./details";
import { listApiKeys } from "./list";
import { revokeApiKey } from "./revoke";
import { rotateApiKey } from "./rotate";

let world: World;
let org: TestOrganization;
let foreign: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  foreign = await world.organization("Globex");
});
afterAll(() => world.close());

type Input = Parameters<typeof make>[0];
const make = (given: Partial<(typeof createApiKey)["input"]["_zod"]["input"]> = {}, headers = {}) =>
  world.call(createApiKey, org.admin.actor, { name: "Till", scopes: ["accounts:read"], ...given }, headers);
const rotate = (api_key_id: string, given: { overlap_hours?: number; expires_at?: string } = {}) =>
  world.call(rotateApiKey, org.admin.actor, { api_key_id, ...given });
const revoke = (api_key_id: string) => world.call(revokeApiKey, org.admin.actor, { api_key_id });
const at = (ms: number) => new Date(ms).toISOString();

/** How a call with the secret ends: "ok", or its refusal. */
const use = (secret: string | null, ip?: string | null) =>
  callWith(world, listAccounts, secret ?? "", {}, ip === undefined ? {} : { ip }).then(
    () => "ok",
    (error: { code: string }) => error.code,
  );
const rowOf = async (id: string) =>
  (await world.runtime.db.read.select().from(apiKeys).where(eq(apiKeys.id, id))).map((row) => row)[0];
const eventsOf = async (id: string) =>
  (await world.runtime.db.read.select().from(events).where(eq(events.objectId, id))).map(({ type }) => type);

describe("creating", () => {
  it("answers every field, the secret once, and stores only its hash", async () => {
    const expiry = at(world.clock.now() + 24 * hourMs);
    const key = await make({ scopes: ["payments:write", "accounts:read", "payments:write"], expires_at: expiry });
    expect(key).toEqual({
      ...{ api_key_id: expect.stringMatching(/^key_/), name: "Till", account_id: null, ip_allow: [] },
      ...{ scopes: ["accounts:read", "payments:write"], expires_at: expiry, last_used_at: null, revoked_at: null },
      ...{ created_by: org.admin.id, created_at: at(world.clock.now()) },
      ...{ prefix: key.secret?.slice(0, 9), last4: key.secret?.slice(-4) },
      secret: expect.stringMatching(/^qtsk_[0-9A-Za-z]{49}$/),
    });
    expect(await use(key.secret)).toBe("ok");
    const row = JSON.stringify(await rowOf(key.api_key_id));
    expect(row).not.toContain(key.secret);
    expect(await eventsOf(key.api_key_id)).toEqual(["api_key.created"]);
    const entry = and(eq(auditEntries.targetId, key.api_key_id), eq(auditEntries.operation, "apiKeys.create"));
    expect(await world.runtime.db.read.$count(auditEntries, entry)).toBe(1);
  });

  it("answers a repeated request without the secret, which is stored nowhere", async () => {
    const headers = { idempotencyKey: "make-a-key" };
    const first = await make({ name: "Once" }, headers);
    expect(await make({ name: "Once" }, headers)).toEqual({ ...first, secret: null });
    expect(JSON.stringify(await world.runtime.db.read.select().from(idempotencyKeys))).not.toContain(first.secret);
  });

  it("binds to an account, without the scopes that concern the whole organization", async () => {
    const account_id = org.member.accountId;
    const key = await make({ account_id });
    expect(await use(key.secret)).toBe("ok");
    const other = callWith(world, getAccount, key.secret ?? "", { account_id: org.other.accountId });
    expect(await refusalOf(other)).toBe("account_not_found");
    const call = make({ account_id, scopes: ["accounts:read", "users:write", "users:read"] });
    await expect(call).rejects.toMatchObject({
      code: "invalid_request",
      message: "scopes: a key that is bound to an account cannot carry users:read, users:write",
    });
  });

  it.each<[string, Input, string]>([
    ["no scope", { scopes: [] }, "scopes"],
    ["an unknown scope", { scopes: ["everything"] }, "scopes"],
    ["an expiry that has passed", { expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    ["no address", { ip_allow: ["example.com"] }, "ip_allow"],
    ["an address within its network", { ip_allow: ["203.0.113.7/24"] }, "ip_allow"],
    ["a prefix that is too long", { ip_allow: ["203.0.113.0/33"] }, "ip_allow"],
    ["too many networks", { ip_allow: Array(limits.allowedAddresses.entries + 1).fill("203.0.113.7") }, "ip_allow"],
    ["a blank name", { name: " " }, "name"],
  ])("refuses %s", async (_, given, field) => {
    await expect(make(given)).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(field),
    });
  });

  it("refuses another organization's account like an unknown one, and a closed one", async () => {
    expect(await refusalOf(make({ account_id: foreign.member.accountId }))).toBe("account_not_found");
    expect(await refusalOf(make({ account_id: "acct_x" }))).toBe("account_not_found");
    const { accountId } = await newPerson(world, org.admin.actor);
    await closeAccountOf(world, org.admin.actor, accountId);
    expect(await refusalOf(make({ account_id: accountId }))).toBe("account_closed");
  });

  it("requires a fresh sign-in in the dashboard", async () => {
    const { admin } = await world.organization("Old");
    const cookie = (await signInByCookie(world, admin)).split("=")[1] ?? "";
    const create = () => callBy(world, createApiKey, { cookie }, { name: "Till", scopes: ["accounts:read"] });
    const { api_key_id } = await create();
    world.clock.advance(11 * minuteMs);
    expect(await refusalOf(create())).toBe("reauthentication_required");
    expect(await refusalOf(callBy(world, rotateApiKey, { cookie }, { api_key_id }))).toBe("reauthentication_required");
    expect(await refusalOf(callBy(world, revokeApiKey, { cookie }, { api_key_id }))).toBe("reauthentication_required");
    expect((await callBy(world, listApiKeys, { cookie }, {})).data).toHaveLength(1);
  });

  it("stops at the maximum, in which revoked keys do not count", async () => {
    const full = await world.organization("Full");
    const create = () => world.call(createApiKey, full.admin.actor, { name: "Till", scopes: ["accounts:read"] });
    const { api_key_id } = await create();
    await insertApiKeys(world, full.id, limits.apiKeys - 1);
    expect(await refusalOf(create())).toBe("too_many_api_keys");
    await world.call(revokeApiKey, full.admin.actor, { api_key_id });
    await create();
  });
});

describe("allowed addresses", () => {
  it("are the only ones that may use the key, however they are written", async () => {
    const key = await make({ ip_allow: ["203.0.113.0/24", "::ffff:198.51.100.7", "2001:DB8::/32", "203.0.113.0/24"] });
    expect(key.ip_allow).toEqual(["203.0.113.0/24", "198.51.100.7", "2001:db8::/32"]);
    for (const ip of ["203.0.113.255", "::ffff:203.0.113.9", "198.51.100.7", "2001:db8:ffff::1"]) {
      expect([ip, await use(key.secret, ip)]).toEqual([ip, "ok"]);
    }
    for (const ip of ["203.0.114.1", "::ffff:198.51.100.8", "2001:db9::1", null, "nonsense"]) {
      expect([ip, await use(key.secret, ip)]).toEqual([ip, "unauthorized"]);
    }
  });

  it("leave an audit entry when the key is used from elsewhere", async () => {
    const key = await make({ ip_allow: ["198.51.100.7"] });
    expect(await use(key.secret, "192.0.2.44")).toBe("unauthorized");
    const [entry] = await world.runtime.db.read
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.actorId, key.api_key_id));
    expect(entry).toMatchObject({ organizationId: org.id, ip: "192.0.2.44" });
    expect(entry?.detail).toEqual({ outcome: "address_not_allowed" });
    expect((await rowOf(key.api_key_id))?.lastUsedAt).toBeNull();
  });
});

describe("listing", () => {
  it("pages through the organization's keys, newest first, revoked ones included, without secrets", async () => {
    const own = await world.organization("Listed");
    const create = async (name: string) => {
      world.clock.advance(1);
      return world.call(createApiKey, own.admin.actor, { name, scopes: ["accounts:read"] });
    };
    const keys = [await create("a"), await create("b"), await create("c")];
    await world.call(revokeApiKey, own.admin.actor, { api_key_id: keys[1]?.api_key_id ?? "" });
    const first = await world.call(listApiKeys, own.admin.actor, { limit: 2, include_total: true });
    expect(first).toMatchObject({ has_more: true, total_count: 3 });
    const rest = await world.call(listApiKeys, own.admin.actor, { limit: 2, cursor: first.next_cursor ?? "" });
    const all = [...first.data, ...rest.data];
    expect(all.map((key) => [key.name, key.revoked_at !== null])).toEqual([
      ...[
        ["c", false],
        ["b", true],
        ["a", false],
      ],
    ]);
    expect(all.map((key) => key.secret)).toEqual([null, null, null]);
  });
});

describe("rotating", () => {
  it("keeps the identifier; the previous secret works for the overlap", async () => {
    const key = await make();
    const rotated = await rotate(key.api_key_id, { overlap_hours: 2 });
    expect(rotated).toMatchObject({ api_key_id: key.api_key_id, last4: rotated.secret?.slice(-4) });
    expect(rotated.secret).not.toBe(key.secret);
    expect([await use(key.secret), await use(rotated.secret)]).toEqual(["ok", "ok"]);
    world.clock.advance(2 * hourMs);
    expect([await use(key.secret), await use(rotated.secret)]).toEqual(["unauthorized", "ok"]);
    expect(await eventsOf(key.api_key_id)).toEqual(["api_key.created", "api_key.rotated"]);
  });

  it("leaves at most two secrets, and only one with an overlap of 0", async () => {
    const first = await make();
    const second = await rotate(first.api_key_id);
    const third = await rotate(first.api_key_id);
    expect([await use(first.secret), await use(second.secret), await use(third.secret)]).toEqual([
      ...["unauthorized", "ok", "ok"],
    ]);
    const last = await rotate(first.api_key_id, { overlap_hours: 0 });
    expect([await use(second.secret), await use(third.secret), await use(last.secret)]).toEqual([
      ...["unauthorized", "unauthorized", "ok"],
    ]);
  });

  it("can bring the expiry forward, but not put it off", async () => {
    const hours = (count: number) => at(world.clock.now() + count * hourMs);
    const key = await make({ expires_at: hours(10) });
    for (const expires_at of [hours(11), hours(0)]) {
      expect(await refusalOf(rotate(key.api_key_id, { expires_at }))).toBe("invalid_request");
    }
    expect((await rotate(key.api_key_id, { expires_at: hours(5) })).expires_at).toBe(hours(5));
    expect(await refusalOf(rotate(key.api_key_id, { expires_at: hours(6) }))).toBe("invalid_request");
    const endless = await make();
    const ending = await rotate(endless.api_key_id, { expires_at: hours(5), overlap_hours: 168 });
    world.clock.advance(5 * hourMs);
    expect([await use(endless.secret), await use(ending.secret)]).toEqual(["unauthorized", "unauthorized"]);
    expect(await refusalOf(rotate(endless.api_key_id))).toBe("invalid_request");
  });

  it("refuses an overlap of more than seven days", async () => {
    const key = await make();
    expect(await refusalOf(rotate(key.api_key_id, { overlap_hours: 169 }))).toBe("invalid_request");
    const next = await rotate(key.api_key_id, { overlap_hours: 168 });
    world.clock.advance(168 * hourMs - 1);
    expect([await use(key.secret), await use(next.secret)]).toEqual(["ok", "ok"]);
    world.clock.advance(1);
    expect([await use(key.secret), await use(next.secret)]).toEqual(["unauthorized", "ok"]);
  });

  it("refuses a revoked, an unknown and another organization's key alike", async () => {
    const key = await make();
    await revoke(key.api_key_id);
    const theirs = await world.call(createApiKey, foreign.admin.actor, { name: "X", scopes: ["accounts:read"] });
    for (const id of [key.api_key_id, world.id("key"), "key_x", theirs.api_key_id]) {
      expect(await refusalOf(rotate(id))).toBe("api_key_not_found");
      expect(await refusalOf(revoke(id))).toBe("api_key_not_found");
    }
    expect(await use(theirs.secret)).toBe("ok");
  });
});

describe("revoking", () => {
  it("ends both secrets and announces it once", async () => {
    const key = await make();
    const rotated = await rotate(key.api_key_id);
    expect((await revoke(key.api_key_id)).revoked_at).toBe(at(world.clock.now()));
    expect([await use(key.secret), await use(rotated.secret)]).toEqual(["unauthorized", "unauthorized"]);
    expect(await eventsOf(key.api_key_id)).toEqual(["api_key.created", "api_key.rotated", "api_key.revoked"]);
  });

  it("happens when the account of a bound key is closed, with an event", async () => {
    const { accountId } = await newPerson(world, org.admin.actor);
    const key = await make({ account_id: accountId });
    await closeAccountOf(world, org.admin.actor, accountId);
    expect(await use(key.secret)).toBe("unauthorized");
    expect(await eventsOf(key.api_key_id)).toEqual(["api_key.created", "api_key.revoked"]);
  });
});

describe("a removed creator whose keys stay", () => {
  it("leaves a key that works, and that is listed until it is rotated", async () => {
    const own = await world.organization("Left");
    const leaving = await newPerson(world, own.admin.actor, "admin");
    const key = await world.call(createApiKey, leaving.actor, { name: "Left", scopes: ["accounts:read"] });
    const leftBehind = async () => (await world.call(apiKeysLeftBehind, own.admin.actor, {})).data;
    expect(await leftBehind()).toEqual([]);
    world.clock.advance(1);
    await removeAndKeepKeys(world, own.admin.actor, leaving.userId);
    expect(await use(key.secret)).toBe("ok");
    expect(await leftBehind()).toMatchObject([{ api_key_id: key.api_key_id, creator_is_removed: true }]);
    world.clock.advance(1);
    await world.call(rotateApiKey, own.admin.actor, { api_key_id: key.api_key_id });
    // The previous secret still works.
    expect(await leftBehind()).toMatchObject([{ needs_rotation: true }]);
    world.clock.advance(limits.overlapHours.default * hourMs);
    expect(await leftBehind()).toEqual([]);
    const ids = { api_key_ids: [key.api_key_id] };
    expect((await world.call(apiKeyDetails, own.admin.actor, ids)).data).toEqual([
      {
        ...{ api_key_id: key.api_key_id, name: "Left", account_name: null, creator_name: null },
        ...{ creator_is_removed: true, needs_rotation: false },
        previous_secret_until: null,
      },
    ]);
    expect((await world.call(apiKeyDetails, foreign.admin.actor, ids)).data).toEqual([]);
  });
});

describe("a key whose secret a former admin may know", () => {
  const isListed = async (admin: Actor) => (await world.call(apiKeysLeftBehind, admin, {})).data.length === 1;
  const keyOf = (actor: Actor) => world.call(createApiKey, actor, { name: "Till", scopes: ["accounts:read"] });
  const rotateAs = (actor: Actor, api_key_id: string, overlap_hours: number) =>
    world.call(rotateApiKey, actor, { api_key_id, overlap_hours });
  const demote = (userId: string) =>
    world.runtime.db.write(async (tx) => {
      await tx.update(users).set({ role: "operator" }).where(eq(users.id, userId));
    });

  it("is listed once its creator is demoted, until another admin rotates it", async () => {
    const { admin } = await world.organization("Demoted");
    const second = await newPerson(world, admin.actor, "admin");
    const key = await keyOf(second.actor);
    await demote(second.userId);
    expect(await isListed(admin.actor)).toBe(true);
    await rotateAs(admin.actor, key.api_key_id, 0);
    expect(await isListed(admin.actor)).toBe(false);
  });

  it("is listed once the admin who rotated it is removed, regardless of its creator", async () => {
    const { admin } = await world.organization("Rotated");
    const second = await newPerson(world, admin.actor, "admin");
    const key = await keyOf(admin.actor);
    await rotateAs(second.actor, key.api_key_id, 0);
    expect(await isListed(admin.actor)).toBe(false);
    world.clock.advance(1);
    await removeAndKeepKeys(world, admin.actor, second.userId);
    expect(await isListed(admin.actor)).toBe(true);
    world.clock.advance(1);
    await rotateAs(admin.actor, key.api_key_id, 0);
    expect(await isListed(admin.actor)).toBe(false);
  });

  it("is not listed for a creator who left long after another admin had rotated it", async () => {
    const { admin } = await world.organization("Late");
    const second = await newPerson(world, admin.actor, "admin");
    const key = await keyOf(second.actor);
    await rotateAs(admin.actor, key.api_key_id, 1);
    world.clock.advance(2 * hourMs);
    await removeAndKeepKeys(world, admin.actor, second.userId);
    expect(await isListed(admin.actor)).toBe(false);
  });
});

it("a key with every scope makes no key", async () => {
  const all = await make({ scopes: [...scopes] });
  const call = callWith(world, createApiKey, all.secret ?? "", { name: "Child", scopes: ["accounts:read"] });
  expect(await refusalOf(call)).toBe("insufficient_permissions");
});
