// What a hostile reading found in cards of erased customers. The test states what is right, and fails.
import { and, eq, isNotNull } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { storedMethods } from "@/db/tables";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { cancelSubscription } from "@/server/domains/subscriptions/operations/change";
import { limits } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { readOne, subscribe } from "@/test/subscriber";
import { openWorld, type World } from "@/test/world";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it("all cards of a customer who is erased are forgotten, however many an earlier version has left stored", async () => {
  const { admin, member, id: organization } = await world.organization();
  const { id } = await subscribe(world, member.actor, { customer: { email: "many@example.com" } });
  const { customer_id } = await readOne(world, member.actor, id);
  const isOwn = eq(storedMethods.organizationId, organization);
  const [card] = await world.runtime.db.read.select().from(storedMethods).where(isOwn);
  if (!card) throw new Error("No card was stored.");
  await world.runtime.db.write(async (tx) => {
    for (let i = 0; i < limits.batch.erase.rows + 1; i++) {
      const own = { id: `${card.id.slice(0, -3)}${String(i).padStart(3, "0")}`, transactionId: null, attemptKey: null };
      await tx.insert(storedMethods).values({ ...card, ...own, providerReference: `old_${i}` });
    }
  });
  await world.call(cancelSubscription, member.actor, { subscription_id: id, at: "now" });
  await runJobs(world);
  await world.call(eraseCustomer, admin.actor, { customer_id: customer_id ?? "" });
  await runJobs(world);
  const kept = await world.runtime.db.read
    .select({ id: storedMethods.id })
    .from(storedMethods)
    .where(and(isOwn, isNotNull(storedMethods.providerReference)));
  expect(kept).toHaveLength(0);
});
