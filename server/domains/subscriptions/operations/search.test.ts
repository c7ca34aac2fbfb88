// Searching subscriptions by text: what finds them, and that nobody finds what the list does not show them.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import { monthly, subscribe } from "@/test/subscriber";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { listSubscriptions } from "./read";

const few = vi.hoisted(() => ({ most: 2_000 }));
vi.mock("@/server/kit/limits", async (original) => {
  const { limits, ...rest } = await original<typeof import("@/server/kit/limits")>();
  const look = Object.defineProperty({ ...limits.look }, "few", { get: () => few.most, enumerable: true });
  return { ...rest, limits: { ...limits, look } };
});

let world: World;
let acme: TestOrganization;
let other: TestOrganization;
let ids: { lessons: string; garden: string; others: string };

async function begin({ actor }: TestUser, description: string, name: string, email: string): Promise<string> {
  world.clock.advance(1000);
  return (await subscribe(world, actor, { subscription: monthly, description, customer: { name, email } })).id;
}

beforeAll(async () => {
  world = await openWorld();
  [acme, other] = [await world.organization(), await world.organization("Other")];
  ids = {
    lessons: await begin(acme.member, "Piano lessons", "Grégoire Müller", "gregoire@shop.example"),
    garden: await begin(acme.member, "Gärtner", "Ada Lovelace", "ada@shop.example"),
    others: await begin(acme.other, "Piano tuning", "Zoë Müller", "zoe@shop.example"),
  };
  await begin(other.member, "Piano lessons", "Grégoire Müller", "gregoire@shop.example");
});
afterAll(() => world.close());

const find = async ({ actor }: TestUser, filters: object) =>
  (await world.call(listSubscriptions, actor, filters)).data.map(({ subscription_id }) => subscription_id);

it.each([
  ["by the index of a rare word", 2_000],
  ["by walking the list", 0],
])("finds them by text, customer and id, %s", async (_, most) => {
  few.most = most;
  const { lessons, garden, others } = ids;
  const { member, admin } = acme;
  for (const q of ["piano", "LESSONS pian", "gregoire", "MULLER", "muller piano", "gregoire@shop.example", lessons]) {
    expect([q, await find(member, { q })]).toEqual([q, [lessons]]);
  }
  expect(await find(member, { q: "gartner" })).toEqual([garden]);
  expect(await find(member, { q: "shop example" })).toEqual([garden, lessons]);
  expect(await find(admin, { q: "piano" })).toEqual([others, lessons]);
  expect(await find(admin, { q: "piano", status: ["canceled"] })).toEqual([]);
  for (const q of ["piano ada", "tuning", "zoe", others]) expect([q, await find(member, { q })]).toEqual([q, []]);
  expect(await find(other.admin, { q: lessons })).toEqual([]);
});

it("counts what it finds", async () => {
  const page = await world.call(listSubscriptions, acme.admin.actor, { q: "muller", include_total: true });
  expect(page.total_count).toBe(2);
});

it("finds them by the name that the customer has now", async () => {
  few.most = 2_000;
  const [row] = (await world.call(listSubscriptions, acme.member.actor, { q: ids.garden })).data;
  const customer_id = row?.customer_id ?? "";
  await world.call(updateCustomerFields, acme.member.actor, { customer_id, name: "Ada Byron" });
  expect(await find(acme.member, { q: "byron" })).toEqual([ids.garden]);
  few.most = 0;
  expect(await find(acme.member, { q: "byron" })).toEqual([ids.garden]);
});

it("refuses a text without words", async () => {
  expect(await refusalOf(find(acme.member, { q: "%" }))).toBe("invalid_request");
});
