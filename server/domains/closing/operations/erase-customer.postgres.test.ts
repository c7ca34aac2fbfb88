// Erasing a customer while another call has locked one that was merged into it, with PostgreSQL's row locks: no deadlock.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { lock } from "@/db/lock";
import { customers } from "@/db/tables";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { deadlocksIn } from "@/test/deadlocks";
import { anotherProcess, openWorld } from "@/test/world";
import { eraseCustomer } from "./erase-customer";
import { mergeCustomer } from "./merge-customer";

it("an erasure locks the customer and those that were merged into it in the order of ids", async () => {
  const world = await openWorld();
  const { actor } = (await world.organization()).member;
  const make = async (name: string) => {
    world.clock.advance(1000);
    return (await world.call(createCustomer, actor, { name }, { idempotencyKey: name })).customer_id;
  };
  const [older, younger] = [await make("Older"), await make("Younger")];
  await world.call(mergeCustomer, actor, { customer_id: older, into_customer_id: younger });
  const [first, second] = [await anotherProcess(world), await anotherProcess(world)];
  const { erasure } = await first.runtime.db.write(async (tx) => {
    await lock(tx, customers, [older]);
    const erasure = second.call(eraseCustomer, actor, { customer_id: younger });
    // Long enough for the erasure to wait for the older one.
    await sleep(500);
    await lock(tx, customers, [younger]);
    return { erasure };
  });
  expect(await erasure).toMatchObject({ name: null });
  await first.close();
  await second.close();
  expect(await deadlocksIn(world)).toBe(0);
  await world.close();
});
