// The search over everything in an organization with more accounts and users than it looks through by words.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openWorld, type TestOrganization, type TestUser, type World } from "@/test/world";

vi.mock("@/server/kit/limits", async (original) => {
  const { limits, ...rest } = await original<typeof import("@/server/kit/limits")>();
  return { ...rest, limits: { ...limits, foundAmong: 1, look: { ...limits.look, least: 1 } } };
});

const { findEverything } = await import("./find");

let world: World;
let acme: TestOrganization;
let newest: TestUser;
beforeAll(async () => {
  world = await openWorld();
  acme = await world.organization();
  world.clock.advance(1_000);
  newest = await world.user(acme.id);
});
afterAll(() => world.close());

it("finds any account and user by id and address, and by words only the newest", async () => {
  const { id, accountId, email } = acme.member;
  const find = (q: string) => world.call(findEverything, acme.admin.actor, { q });
  expect((await find(id)).users).toMatchObject([{ user_id: id }]);
  expect((await find(accountId)).accounts).toMatchObject([{ account_id: accountId }]);
  const found = await find(email);
  expect(found.users).toMatchObject([{ user_id: id }]);
  expect(found.accounts).toMatchObject([{ account_id: accountId }]);
  const words = await find(email.replace("@", " "));
  expect([words.users, words.accounts]).toEqual([[], []]);
  const recent = await find(newest.email.replace("@", " "));
  expect(recent.users).toMatchObject([{ user_id: newest.id }]);
  expect(recent.accounts).toMatchObject([{ account_id: newest.accountId }]);
});
