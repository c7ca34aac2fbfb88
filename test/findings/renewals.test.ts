// Findings about renewals: each test fails, and says what should hold.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { pauseSubscription, resumeSubscription } from "@/server/domains/subscriptions/operations/change";
import { runJobs } from "@/test/jobs";
import { cyclesOf, readOne, subscribe } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  world.clock.advance(1000);
  acme = await world.organization();
});
afterAll(() => world.close());

const day = 86_400_000;
const actor = () => acme.member.actor;
const cycles = async (id: string) => (await cyclesOf(world, id)).map(({ cycle }) => cycle);

it("6. a period that begins after resume_at is charged although the worker resumes late", async () => {
  const { id } = await subscribe(world, actor(), {});
  const { current_period_end: end } = await readOne(world, actor(), id);
  const next = Date.parse(end ?? "");
  const resume_at = new Date(next - day).toISOString();
  await world.call(pauseSubscription, actor(), { subscription_id: id, resume_at });
  // The pause is over a day before the period begins; no worker runs until an hour after that.
  world.clock.advance(next + 3_600_000 - world.clock.now());
  await runJobs(world);
  expect(await readOne(world, actor(), id)).toMatchObject({ status: "active" });
  expect(await cycles(id)).toEqual([1, 2]);
});

it("7. a period that began before the pause is charged after it", async () => {
  const { id } = await subscribe(world, actor(), {});
  const { current_period_end: end } = await readOne(world, actor(), id);
  // The worker has not come to it yet when somebody pauses the subscription for an hour.
  world.clock.advance(Date.parse(end ?? "") + 500 - world.clock.now());
  await world.call(pauseSubscription, actor(), { subscription_id: id });
  world.clock.advance(3_600_000);
  await world.call(resumeSubscription, actor(), { subscription_id: id });
  await runJobs(world);
  expect(await cycles(id)).toEqual([1, 2]);
});
