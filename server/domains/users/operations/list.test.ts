// GET /v1/users and the signed-in user: pages, filters, visibility.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeUserOf } from "@/test/closing";
import { anonymous, apiKey, boundTo, createUserOf } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { currentUser } from "./current";
import { listUsers } from "./list";

let world: World;
let org: TestOrganization;
let foreign: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  foreign = await world.organization("Globex");
});
afterAll(() => world.close());

const idsOf = async (input: object) =>
  (await world.call(listUsers, org.admin.actor, input)).data.map((user) => user.user_id);
const make = (name: string, role: "member" | "admin" = "member") =>
  createUserOf(world, org.admin.actor, { name, role });

describe("200", () => {
  it("pages through the organization's users, newest first", async () => {
    const first = await world.call(listUsers, org.admin.actor, { limit: 2, include_total: true });
    expect(first).toMatchObject({ has_more: true, total_count: 3 });
    const rest = await world.call(listUsers, org.admin.actor, { limit: 2, cursor: first.next_cursor ?? "" });
    expect(rest).toMatchObject({ has_more: false, next_cursor: null });
    const ids = [...first.data, ...rest.data].map((user) => user.user_id);
    expect(ids).toEqual([org.admin.id, org.member.id, org.other.id].sort().reverse());
  });

  it("filters by role, status, address and words", async () => {
    const ada = await make("Ada Lovelace");
    const grace = await make("Grace Hopper", "admin");
    expect(await idsOf({ q: "LOVE ada" })).toEqual([ada.user_id]);
    expect(await idsOf({ q: grace.user_id })).toEqual([grace.user_id]);
    expect(await idsOf({ email: ada.email.toUpperCase() })).toEqual([ada.user_id]);
    expect(await idsOf({ q: "hopper", role: ["member"] })).toEqual([]);
    expect(await idsOf({ role: ["admin"] })).toEqual([grace.user_id, org.admin.id].sort().reverse());
    await removeUserOf(world, org.admin.actor, ada.user_id);
    expect(await idsOf({ q: "ada" })).toEqual([]);
    const gone = await world.call(listUsers, org.admin.actor, { status: ["removed"] });
    expect(gone.data).toMatchObject([{ user_id: ada.user_id, name: null, account_id: null, status: "removed" }]);
  });

  it("shows an API key its organization's users", async () => {
    const key = await apiKey(world, foreign.id, ["users:read"]);
    const { data } = await world.call(listUsers, key.actor, {});
    expect(new Set(data.map((user) => user.organization_id))).toEqual(new Set([foreign.id]));
  });
});

describe("400", () => {
  it("insufficient_permissions for all but admins and unbound API keys with the scope", async () => {
    const key = await apiKey(world, org.id, ["users:write"]);
    const { actor: unbound } = await apiKey(world, org.id, ["users:read"]);
    for (const actor of [anonymous, org.member.actor, key.actor, boundTo(org.member.accountId, unbound)]) {
      expect(await refusalOf(world.call(listUsers, actor, {}))).toBe("insufficient_permissions");
    }
  });

  it("invalid_cursor for garbage", async () => {
    expect(await refusalOf(world.call(listUsers, org.admin.actor, { cursor: "garbage" }))).toBe("invalid_cursor");
  });
});

describe("the signed-in user", () => {
  it("is the caller with their organization", async () => {
    expect(await world.call(currentUser, org.member.actor, {})).toMatchObject({
      ...{ user_id: org.member.id, role: "member" },
      organization: { organization_id: org.id, name: "Acme", mode: "sandbox", members_record_payments: false },
    });
  });

  it("does not exist for an API key or without a credential", async () => {
    const key = await apiKey(world, org.id, ["users:read"]);
    for (const actor of [anonymous, key.actor]) {
      expect(await refusalOf(world.call(currentUser, actor, {}))).toBe("insufficient_permissions");
    }
  });
});
