// Erasing and merging customers in the dashboard need a sign-in of the last ten minutes; over the API they need none.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { minuteMs } from "@/server/kit/limits";
import { callWith, signInByCookie } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { eraseCustomer } from "./erase-customer";
import { mergeCustomer } from "./merge-customer";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

it("is asked for again before a customer is erased or merged", async () => {
  const make = async (name: string) => (await world.call(createCustomer, org.member.actor, { name })).customer_id;
  const [customer_id, into_customer_id] = [await make("Grace"), await make("Hopper")];
  const signedIn = async () => ({ cookie: (await signInByCookie(world, org.member)).split("=")[1] ?? "" });
  const old = await signedIn();
  world.clock.advance(10 * minuteMs + 1);
  const merge = (by: { cookie: string }) => callWith(world, mergeCustomer, by, { customer_id, into_customer_id });
  const erase = (by: { cookie: string }) => callWith(world, eraseCustomer, by, { customer_id: into_customer_id });
  expect([await refusalOf(merge(old)), await refusalOf(erase(old))]).toEqual(
    Array(2).fill("reauthentication_required"),
  );
  const fresh = await signedIn();
  await merge(fresh);
  expect(await erase(fresh)).toMatchObject({ customer_id: into_customer_id, name: null });
});
