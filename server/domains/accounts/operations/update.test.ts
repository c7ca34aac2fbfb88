// PATCH /v1/accounts: merging, versions, and whose account may be changed.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, auditEntries, events } from "@/db/tables";
import { closeAccountOf } from "@/test/closing";
import { apiKey } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { accountTag } from "../rules";
import { createAccount } from "./create";
import { getAccount } from "./get";
import { updateAccount } from "./update";

let world: World;
let org: TestOrganization;
let foreign: TestOrganization;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  foreign = await world.organization("Globex");
});
beforeEach(async () => {
  user = await world.user(org.id);
});
afterAll(() => world.close());

const tagOf = async () => `"${accountTag(await world.call(getAccount, user.actor, { account_id: user.accountId }))}"`;

describe("200", () => {
  it("changes the caller's own account and leaves absent fields unchanged", async () => {
    world.clock.advance(1000);
    const account = await world.call(updateAccount, user.actor, { account_name: "New", email: "new@example.com" });
    expect(account).toMatchObject({
      account_id: user.accountId,
      account_name: "New",
      email: "new@example.com",
      account_type: "individual",
      updated_at: new Date(world.clock.now()).toISOString(),
    });
  });

  it("merges preferences and metadata, null clears", async () => {
    await world.call(updateAccount, user.actor, {
      preferences: { locale: "de", notifications: { paid: true, failed: true } },
      metadata: { a: "1", b: "2" },
    });
    const merged = await world.call(updateAccount, user.actor, {
      preferences: { locale: null, notifications: { failed: null } },
      metadata: { a: null, c: "3" },
    });
    expect(merged.preferences).toMatchObject({ locale: null, notifications: { paid: true } });
    expect(merged.metadata).toEqual({ b: "2", c: "3" });
    const cleared = await world.call(updateAccount, user.actor, { preferences: null, metadata: null });
    expect(cleared).toMatchObject({ metadata: {}, preferences: { notifications: {} } });
  });

  it("increases updated_at with every change, even within a millisecond", async () => {
    const first = await world.call(updateAccount, user.actor, { account_name: "A" });
    const second = await world.call(updateAccount, user.actor, { account_name: "B" });
    expect(Date.parse(second.updated_at)).toBeGreaterThan(Date.parse(first.updated_at));
  });

  it("changes nothing and emits no event without fields", async () => {
    const before = await tagOf();
    await world.call(updateAccount, user.actor, {});
    expect(await tagOf()).toBe(before);
    const { read } = world.runtime.db;
    expect(await read.select().from(events).where(eq(events.objectId, user.accountId))).toEqual([]);
  });

  it("allows an admin or an API key to change any account of the organization", async () => {
    const key = await apiKey(world, org.id, ["accounts:write"]);
    const bound = await apiKey(world, org.id, ["accounts:write"], { accountId: user.accountId });
    for (const { actor } of [org.admin, key, bound]) {
      const account_name = `By ${actor.type}`;
      const changed = await world.call(updateAccount, actor, { account_id: user.accountId, account_name });
      expect(changed.account_name).toBe(account_name);
    }
  });

  it("audits the names of changed fields, with hashes of personal values and never the values themselves", async () => {
    await world.call(updateAccount, user.actor, { email: "secret@example.com", metadata: { k: "hidden" } });
    const { read } = world.runtime.db;
    const [entry] = await read.select().from(auditEntries).where(eq(auditEntries.targetId, user.accountId));
    const changes = { email: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(entry?.detail).toEqual({ fields: ["email", "metadata"], changes });
    const [event] = await read.select().from(events).where(eq(events.objectId, user.accountId));
    expect(event).toMatchObject({ type: "account.updated", data: { fields: ["email", "metadata"] } });
  });

  it("accepts If-Match with the ETag of the last read, or with *", async () => {
    const ifMatch = await tagOf();
    await world.call(updateAccount, user.actor, { account_name: "Matched" }, { ifMatch });
    await world.call(updateAccount, user.actor, { account_name: "Any" }, { ifMatch: "*" });
  });
});

describe("400", () => {
  it("version_conflict after another change", async () => {
    const ifMatch = await tagOf();
    await world.call(updateAccount, user.actor, { account_name: "First" });
    const late = world.call(updateAccount, user.actor, { account_name: "Late" }, { ifMatch });
    expect(await refusalOf(late)).toBe("version_conflict");
    const kept = await world.call(getAccount, user.actor, { account_id: user.accountId });
    expect(kept.account_name).toBe("First");
  });

  it("version_conflict for all but one of many updates to the same version", async () => {
    const ifMatch = await tagOf();
    const names = Array.from({ length: 20 }, (_, i) => `Racer ${i}`);
    const results = await Promise.allSettled(
      names.map((account_name) => world.call(updateAccount, user.actor, { account_name }, { ifMatch })),
    );
    const refusals = results.filter((result) => result.status === "rejected");
    expect(refusals).toHaveLength(19);
    for (const { reason } of refusals) expect(reason).toMatchObject({ code: "version_conflict" });
  });

  it("account_not_found for an account that the caller does not see", async () => {
    const bound = await apiKey(world, org.id, ["accounts:write"], { accountId: org.other.accountId });
    const unseen = [
      [user.actor, org.other.accountId],
      [user.actor, foreign.member.accountId],
      [org.admin.actor, foreign.member.accountId],
      [bound.actor, user.accountId],
      [user.actor, "acct_00000000000000000000000000"],
      [user.actor, "nonsense"],
    ] as const;
    for (const [actor, account_id] of unseen) {
      const call = world.call(updateAccount, actor, { account_id, account_name: "Mine" });
      expect(await refusalOf(call)).toBe("account_not_found");
    }
    const [row] = await world.runtime.db.read.select().from(accounts).where(eq(accounts.id, foreign.member.accountId));
    expect(row?.version).toBe(1);
  });

  it("account_closed", async () => {
    await closeAccountOf(world, org.admin.actor, user.accountId);
    const call = world.call(updateAccount, org.admin.actor, { account_id: user.accountId, account_name: "Late" });
    expect(await refusalOf(call)).toBe("account_closed");
  });

  it("without account_id, the caller's own one of several accounts is meant; an API key must name one", async () => {
    const second = { account_type: "individual", account_name: "Second", email: "s@example.com" } as const;
    await world.call(createAccount, user.actor, second);
    const named = await world.call(updateAccount, user.actor, { account_name: "X" });
    expect(named.account_id).toBe(user.accountId);
    const key = await apiKey(world, org.id, ["accounts:write"]);
    const call = world.call(updateAccount, key.actor, { account_name: "X" });
    await expect(call).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^account_id:/),
    });
  });

  it("invalid_request if merging exceeds the limit", async () => {
    const keys = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`k${from + i}`, "x"]));
    await world.call(updateAccount, user.actor, { metadata: keys(0, 50) });
    const one = world.call(updateAccount, user.actor, { metadata: keys(50, 51) });
    expect(await refusalOf(one)).toBe("invalid_request");
    const names = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`n${from + i}`, true]));
    await world.call(updateAccount, user.actor, { preferences: { notifications: names(0, 20) } });
    const other = world.call(updateAccount, user.actor, { preferences: { notifications: names(20, 21) } });
    expect(await refusalOf(other)).toBe("invalid_request");
  });

  it.each([
    ["account_name", null],
    ["email", null],
    ["account_type", "business"],
    ["status", "closed"],
  ])("invalid_request for %s: %j", async (field, value) => {
    const call = world.call(updateAccount, user.actor, { [field]: value } as Record<string, never>);
    expect(await refusalOf(call)).toBe("invalid_request");
  });
});
