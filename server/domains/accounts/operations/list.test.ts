// GET /v1/auth/accounts and GET /v1/accounts/{account_id}: pages, filters, visibility, ETag.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "@/server/kit/context";
import { closeAccountOf } from "@/test/closing";
import { create } from "@/test/money";
import { anonymous, apiKey } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { accountTag } from "../rules";
import { createAccount } from "./create";
import { getAccount } from "./get";
import { listAccounts } from "./list";
import { updateAccount } from "./update";

let world: World;
let org: TestOrganization;
let foreign: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  foreign = await world.organization("Globex");
});
afterAll(() => world.close());

const open = (account_name: string, email: string, account_type: "individual" | "business" = "individual") =>
  world.call(createAccount, org.admin.actor, { account_type, account_name, email });
const idsOf = async (input: Parameters<typeof world.call<typeof listAccounts.input, typeof listAccounts.output>>[2]) =>
  (await world.call(listAccounts, org.admin.actor, input)).data.map((account) => account.account_id);

describe("list, 200", () => {
  it("pages through all accounts, newest first, without repeats while others are created", async () => {
    for (let i = 0; i < 5; i++) await open(`Page ${i}`, `page${i}@example.com`);
    const first = await world.call(listAccounts, org.admin.actor, { limit: 3, include_total: true });
    expect(first).toMatchObject({ has_more: true, total_count: 8 });
    const seen = first.data.map((account) => account.account_id);
    world.clock.advance(1);
    await open("Meanwhile", "meanwhile@example.com");
    for (let cursor = first.next_cursor; cursor !== null; ) {
      const page = await world.call(listAccounts, org.admin.actor, { limit: 3, cursor });
      expect(page.total_count).toBeNull();
      seen.push(...page.data.map((account) => account.account_id));
      cursor = page.next_cursor;
    }
    expect(new Set(seen).size).toBe(8);
    expect(seen).toHaveLength(8);
    const ids = await idsOf({});
    expect(ids).toEqual([...ids].sort().reverse());
  });

  it("filters by status, type and address", async () => {
    const business = await open("Filtered", "Filtered@Example.com", "business");
    const closed = await open("Filtered too", "filtered@example.com");
    await closeAccountOf(world, org.admin.actor, closed.account_id);
    const email = "FILTERED@example.com";
    expect(await idsOf({ email })).toEqual([closed.account_id, business.account_id].sort().reverse());
    expect(await idsOf({ email, status: ["open"] })).toEqual([business.account_id]);
    expect(await idsOf({ email, status: ["closed"] })).toEqual([closed.account_id]);
    expect(await idsOf({ email, account_type: ["individual"] })).toEqual([closed.account_id]);
    expect(await idsOf({ email, account_type: ["individual", "business"], status: ["open", "closed"] })).toHaveLength(
      2,
    );
  });

  it("finds word prefixes of name and address in any case, and a full id", async () => {
    const { account_id } = await open("Bäckerei Müller & Söhne", "office@mueller.example");
    for (const q of ["müll", "BÄCK", "söhne bäckerei", "office@mue", account_id])
      expect(await idsOf({ q })).toEqual([account_id]);
    for (const q of ["üller", "müller meier", "%", "_", "100% müller_x", account_id.slice(0, -1)]) {
      expect(await idsOf({ q })).toEqual([]);
    }
    await world.call(updateAccount, org.admin.actor, { account_id, account_name: "Konditorei" });
    expect(await idsOf({ q: "müll" })).toEqual([]);
    expect(await idsOf({ q: "kond office" })).toEqual([account_id]);
  });

  it("shows balances", async () => {
    const money = { type: "payment", amount: 300, currency: "EUR", account_id: org.other.accountId } as const;
    await create(world, org.admin.actor, money);
    const { data } = await world.call(listAccounts, org.admin.actor, { q: org.other.accountId });
    expect(data[0]?.balances).toEqual([
      { currency: "EUR", available: 300, pending: 0, held: 0, held_for_refunds: 0, held_for_disputes: 0 },
    ]);
  });

  it("shows an API key the organization's accounts, and a bound key its account", async () => {
    const key = await apiKey(world, org.id, ["accounts:read"]);
    const bound = await apiKey(world, org.id, ["accounts:read"], { accountId: org.member.accountId });
    const total = async (actor: Actor) =>
      (await world.call(listAccounts, actor, { include_total: true, limit: 1 })).total_count;
    expect(await total(key.actor)).toBe(await total(org.admin.actor));
    expect(await total(bound.actor)).toBe(1);
    expect(await total(foreign.admin.actor)).toBe(3);
  });
});

describe("list, 400", () => {
  it("insufficient_permissions for anyone but admins and keys with the scope", async () => {
    const key = await apiKey(world, org.id, ["accounts:write"]);
    for (const actor of [anonymous, org.member.actor, key.actor]) {
      expect(await refusalOf(world.call(listAccounts, actor, {}))).toBe("insufficient_permissions");
    }
  });

  it("invalid_cursor for garbage, and for the cursor of other filters", async () => {
    const { next_cursor } = await world.call(listAccounts, org.admin.actor, { limit: 1 });
    const cursor = next_cursor ?? "";
    const refused = (input: object) => refusalOf(world.call(listAccounts, org.admin.actor, input));
    expect(await refused({ cursor: "garbage" })).toBe("invalid_cursor");
    expect(await refused({ cursor: cursor.slice(0, -2) })).toBe("invalid_cursor");
    expect(await refused({ cursor, status: ["open"] })).toBe("invalid_cursor");
  });
});

describe("get", () => {
  it("shows a member their own account and an admin any, including closed ones", async () => {
    const { accountId: account_id, id } = org.member;
    for (const { actor } of [org.member, org.admin]) {
      expect(await world.call(getAccount, actor, { account_id })).toMatchObject({ account_id, owner_user_id: id });
    }
    const gone = await world.user(org.id);
    await closeAccountOf(world, org.admin.actor, gone.accountId);
    const closed = await world.call(getAccount, org.admin.actor, { account_id: gone.accountId });
    expect(closed.status).toBe("closed");
  });

  it("answers account_not_found for an account that the caller does not see", async () => {
    const bound = await apiKey(world, org.id, ["accounts:read"], { accountId: org.member.accountId });
    const unseen = [
      [org.member.actor, org.other.accountId],
      [org.admin.actor, foreign.member.accountId],
      [bound.actor, org.other.accountId],
      [org.admin.actor, "acct_00000000000000000000000000"],
      [org.admin.actor, "x"],
    ] as const;
    for (const [actor, account_id] of unseen) {
      expect(await refusalOf(world.call(getAccount, actor, { account_id }))).toBe("account_not_found");
    }
  });

  it("has an ETag that changes with the record and with the balances", async () => {
    const user = await world.user(org.id);
    const read = async () => accountTag(await world.call(getAccount, user.actor, { account_id: user.accountId }));
    const tags = [await read(), await read()];
    await world.call(updateAccount, user.actor, { account_name: "Renamed" });
    tags.push(await read());
    await create(world, user.actor, { type: "payment", amount: 1, currency: "EUR" });
    tags.push(await read());
    expect(tags[0]).toBe(tags[1]);
    expect(new Set(tags).size).toBe(3);
  });
});
