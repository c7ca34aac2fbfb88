// accounts.own: the caller's own accounts, for any role, with the filters and pages of the list.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAccountOf } from "@/test/closing";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { createAccount } from "./create";
import { listAccounts } from "./list";
import { listOwnAccounts } from "./list-own";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

const shop = { account_type: "business", account_name: "Corner shop", email: "shop@example.com" } as const;

describe("200", () => {
  it("shows a member only their own accounts, open and closed", async () => {
    const { actor, accountId } = await world.user(org.id);
    world.clock.advance(1);
    const open = await world.call(createAccount, actor, shop);
    world.clock.advance(1);
    const closed = await world.call(createAccount, actor, { ...shop, account_name: "Old shop" });
    await closeAccountOf(world, actor, closed.account_id);
    await world.call(createAccount, org.other.actor, shop);

    const ids = async (input: object) =>
      (await world.call(listOwnAccounts, actor, input)).data.map((account) => account.account_id);
    expect(await ids({})).toEqual([closed.account_id, open.account_id, accountId]);
    expect(await ids({ status: ["open"] })).toEqual([open.account_id, accountId]);
    expect(await ids({ q: "corner" })).toEqual([open.account_id]);
    expect(await ids({ email: "SHOP@example.com", account_type: ["business"] })).toHaveLength(2);
  });

  it("shows an admin only their own accounts", async () => {
    const { data, total_count } = await world.call(listOwnAccounts, org.admin.actor, { include_total: true });
    expect(data.map((account) => account.account_id)).toEqual([org.admin.accountId]);
    expect(total_count).toBe(1);
  });

  it("accepts its own cursors, but not those of the organization's list", async () => {
    const { actor, accountId } = await world.user(org.id);
    world.clock.advance(1);
    await world.call(createAccount, actor, shop);
    const first = await world.call(listOwnAccounts, actor, { limit: 1, include_total: true });
    expect(first).toMatchObject({ has_more: true, total_count: 2 });
    const second = await world.call(listOwnAccounts, actor, { limit: 1, cursor: first.next_cursor ?? "" });
    expect(second).toMatchObject({ has_more: false, data: [{ account_id: accountId }] });

    const { next_cursor } = await world.call(listAccounts, org.admin.actor, { limit: 1 });
    const foreign = { limit: 1, cursor: next_cursor ?? "" };
    expect(await refusalOf(world.call(listOwnAccounts, org.admin.actor, foreign))).toBe("invalid_cursor");
  });
});
