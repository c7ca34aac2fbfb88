// Workers that are killed while they renew many subscriptions: in the end, each period was charged once.
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, gt, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { subscriptionCycles, transactions } from "@/db/tables";
import { dayMs, hourMs } from "@/server/kit/limits";
import { ageJobLeases } from "@/test/job-leases";
import { runJobs } from "@/test/jobs";
import { startWorker } from "@/test/killed-worker";
import { expectSoundLedger } from "@/test/money";
import { cyclesOf, subscribe } from "@/test/subscriber";
import { anotherProcess, openWorld, type World } from "@/test/world";

const subscriptionsRenewed = 30;
const kills = 3;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const renewed = async (ids: readonly string[]): Promise<number> =>
  world.runtime.db.read.$count(
    subscriptionCycles,
    and(inArray(subscriptionCycles.subscriptionId, [...ids]), gt(subscriptionCycles.cycle, 1)),
  );

it("charge each period once", async () => {
  // The worker follows the machine's clock, by which the renewals have been due for an hour.
  const yesterday = await anotherProcess(world, { clock: { now: () => Date.now() - dayMs - hourMs } });
  const { member } = await world.organization();
  const ids: string[] = [];
  for (let i = 0; i < subscriptionsRenewed; i++) {
    ids.push((await subscribe(yesterday, member.actor, { subscription: { interval: "day", interval_count: 1 } })).id);
  }
  await yesterday.close();
  for (let kill = 1; kill <= kills; kill++) {
    const worker = await startWorker(world, {});
    // Killed once some renewals more have begun, wherever they are.
    const until = Math.floor((subscriptionsRenewed * kill) / (kills + 1));
    for (let tries = 0; (await renewed(ids)) < until && tries < 2_000; tries++) await sleep(5);
    worker.kill();
    await worker.ended;
    await ageJobLeases(world, 60_000);
  }
  expect(await renewed(ids)).toBeGreaterThan(0);
  // Look-ups find what became of the charges; one that was never sent is made again after some minutes.
  for (const hours of [1, 2, 3]) {
    const clock = { now: () => Date.now() + hours * hourMs };
    const later = await anotherProcess(world, { clock });
    await runJobs({ runtime: later.runtime, clock: { ...clock, advance: () => undefined } });
    await later.close();
  }
  for (const id of ids) {
    const cycles = await cyclesOf(world, id);
    expect(cycles.map(({ cycle, paidAt }) => [cycle, paidAt !== null])).toEqual([
      [1, true],
      [2, true],
    ]);
    const charges = await world.runtime.db.read
      .select()
      .from(transactions)
      .where(eq(transactions.paymentId, cycles[1]?.paymentId ?? ""));
    expect(charges.filter(({ amountCaptured }) => amountCaptured > 0)).toHaveLength(1);
  }
  await expectSoundLedger(world);
}, 120_000);
