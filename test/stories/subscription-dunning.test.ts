// Renewals that are not paid at once: across pauses, cancelations, lost charges and time without a worker.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mails, subscriptions } from "@/db/tables";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { getPayment } from "@/server/domains/payments/operations/get";
import { updatePaymentFields } from "@/server/domains/payments/operations/update";
import { pauseSubscription, resumeSubscription } from "@/server/domains/subscriptions/operations/change";
import { runSubscription } from "@/server/domains/subscriptions/run";
import { dayMs, hourMs, minuteMs } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { card, paymentRow, payWith, tokenOf, transactionsOf } from "@/test/payer";
import { planFault } from "@/test/provider-faults";
import { cyclesOf, readOne, subscribe } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});
beforeEach(async () => {
  acme = await world.organization();
});

const declined = card("4000000000000341");
const daily = { interval: "day", interval_count: 1 } as const;
const thirtyDays = { interval: "day", interval_count: 30 } as const;

const actor = () => acme.member.actor;
const read = (id: string) => readOne(world, actor(), id);
const pause = (id: string) => world.call(pauseSubscription, actor(), { subscription_id: id });
const resume = (id: string) => world.call(resumeSubscription, actor(), { subscription_id: id });

/** Lets time pass without a worker, and then does what is due. */
async function pass(ms: number): Promise<void> {
  world.clock.advance(ms);
  await runJobs(world);
}

async function rowOf(id: string) {
  const [row] = await world.runtime.db.read.select().from(subscriptions).where(eq(subscriptions.id, id));
  if (!row) throw new Error(`No subscription ${id}.`);
  return row;
}

/** A subscription whose worker has done everything until now. */
async function begin(fields: Parameters<typeof subscribe>[2] = {}, method = card("4242424242424242")) {
  const begun = await subscribe(world, actor(), { subscription: thirtyDays, ...fields }, method);
  await runJobs(world);
  return begun;
}

const tries = async (id: string) => (await transactionsOf(world, (await read(id)).latest_payment_id)).length;

it("the last cycle is charged although its period passed while no worker ran", async () => {
  const { id } = await begin({ subscription: { ...daily, cycles: 3 } });
  await pass(5.5 * dayMs);
  const cycles = await cyclesOf(world, id);
  expect(cycles.map(({ isMissed, paidAt }) => [isMissed, paidAt !== null])).toEqual([
    [false, true],
    [true, false],
    [false, true],
  ]);
  expect(await read(id)).toMatchObject({ status: "ended", end_reason: "completed", cycles_done: 2 });
});
