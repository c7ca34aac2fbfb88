// What a hostile reading found in subscriptions. Each test states what is right, and fails.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sandboxOperations, storedMethods } from "@/db/tables";
import {
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
} from "@/server/domains/subscriptions/operations/change";
import { dayMs } from "@/server/kit/limits";
import { cardLink, changeCardTo } from "@/test/card-links";
import { runJobs } from "@/test/jobs";
import { card } from "@/test/payer";
import { readOne, subscribe } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(() => world.close());

const actor = () => acme.member.actor;
const read = (id: string) => readOne(world, actor(), id);
const cancel = (id: string) => world.call(cancelSubscription, actor(), { subscription_id: id, at: "period_end" });
const resume = (id: string) => world.call(resumeSubscription, actor(), { subscription_id: id });
const daily = { interval: "day", interval_count: 1 } as const;

it("a second resume, from another tab, does not take back the cancelation of a subscription that was paused", async () => {
  const { id } = await subscribe(world, actor(), { subscription: { interval: "month", interval_count: 1 } });
  await cancel(id);
  await world.call(pauseSubscription, actor(), { subscription_id: id, resume_at: null });
  expect(await resume(id)).toMatchObject({ status: "active", cancel_at_period_end: true });
  await resume(id).catch(() => undefined);
  expect(await read(id)).toMatchObject({ cancel_at_period_end: true });
});

it("a card that the provider knows by one reference, however often it is stored, is kept while it is charged", async () => {
  const { id } = await subscribe(world, actor(), { subscription: daily });
  world.clock.advance(1);
  const [first] = await cards();
  const reference = first?.providerReference ?? "";
  // The customer enters the same card again. Many providers then answer with the token that they have for it.
  await changeCardTo(world, await cardLink(world, actor(), id), card("4242424242424242"));
  const second = (await cards()).at(-1);
  await world.runtime.db.write(async (tx) => {
    await tx
      .update(storedMethods)
      .set({ providerReference: reference })
      .where(eq(storedMethods.id, second?.id ?? ""));
  });
  await runJobs(world);
  const [charge] = await world.runtime.db.read
    .select()
    .from(sandboxOperations)
    .where(eq(sandboxOperations.reference, reference));
  expect(charge?.outcome).toHaveProperty("stored");
  world.clock.advance(dayMs);
  await runJobs(world);
  expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2 });
});

const cards = () =>
  world.runtime.db.read
    .select()
    .from(storedMethods)
    .where(eq(storedMethods.organizationId, acme.id))
    .orderBy(storedMethods.createdAt);
