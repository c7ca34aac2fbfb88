// Names of accounts: only of those that the caller sees.
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { accountNames } from "./list-names";

let world: World;
let org: TestOrganization;
let elsewhere: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  elsewhere = await world.organization();
});
afterAll(() => world.close());

it("names are returned only for the accounts that the caller sees", async () => {
  const { member, other, admin } = org;
  const account_ids = [member.accountId, other.accountId, elsewhere.member.accountId, "acct_x"];
  const seen = async ({ actor }: typeof member) => {
    const { data } = await world.call(accountNames, actor, { account_ids });
    return data.map(({ account_id, account_name }) => [account_id, account_name.length > 0]).sort();
  };
  const named = (...ids: string[]) => ids.sort().map((id) => [id, true]);
  expect(await seen(member)).toEqual(named(member.accountId));
  expect(await seen(admin)).toEqual(named(member.accountId, other.accountId));
  expect(await seen(elsewhere.admin)).toEqual(named(elsewhere.member.accountId));
  expect(await world.call(accountNames, admin.actor, { account_ids: [] })).toEqual({ data: [] });
});
