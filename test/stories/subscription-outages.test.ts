// Periods that pass while the charge of the one before cannot reach the provider: none is lost, and none charged twice.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { updateOrganizationSettings } from "@/server/domains/onboarding/operations/organization-settings";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { runSubscription } from "@/server/domains/subscriptions/run";
import { dayMs, hourMs, minuteMs } from "@/server/kit/limits";
import { pass, runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { paymentRow, transactionsOf } from "@/test/payer";
import { planFault } from "@/test/provider-faults";
import { commandsOf, cyclesOf, readOne, subscribe } from "@/test/subscriber";
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

const actor = () => acme.member.actor;
const { cancel, pause, resume } = commandsOf(() => world, actor);

describe.each([
  ["latest", [1, 2, 4]],
  ["all", [1, 2, 3, 4]],
] as const)("periods that passed behind a charge that was never received: %s", (catch_up, charged) => {
  const begun: string[] = [];
  afterEach(async () => {
    for (const id of begun.splice(0)) await cancel(id);
  });

  /** A subscription whose second period was not charged because the provider could not be reached. */
  async function unheard() {
    acme = await world.organization();
    await world.call(updateOrganizationSettings, acme.admin.actor, { catch_up });
    const { id } = await subscribe(world, actor(), { subscription: { interval: "day", interval_count: 1 } });
    begun.push(id);
    await runJobs(world);
    world.clock.advance(dayMs);
    const cut = planFault("chargeStored", "reset", "before");
    await runSubscription(world.runtime, id);
    await cut;
    return id;
  }
  const passHours = async (hours: number) => {
    for (let hour = 0; hour < hours; hour++) await pass(world, hourMs);
  };
  /** The cycles that were charged, each once. Those that were not are shown as missed, and can be paid. */
  async function chargedOf(id: string): Promise<number[]> {
    const paid: number[] = [];
    for (const { cycle, isMissed, paidAt, paymentId } of await cyclesOf(world, id)) {
      const charges = (await transactionsOf(world, paymentId)).filter(({ amountCaptured }) => amountCaptured > 0);
      expect(charges).toHaveLength(paidAt === null ? 0 : 1);
      expect(isMissed).toBe(paidAt === null);
      if (isMissed) expect((await paymentRow(world, paymentId)).status).toBe("pending");
      else paid.push(cycle);
    }
    return paid;
  }

  it.each([0, 2 * minuteMs])("are not lost by a pause, nor is it charged; looked up after %i ms", async (after) => {
    const id = await unheard();
    if (after > 0) await pass(world, after);
    world.clock.advance(2.5 * dayMs);
    await pause(id);
    await pass(world, 3 * dayMs);
    expect(await cyclesOf(world, id)).toHaveLength(2);
    await resume(id);
    await passHours(3);
    expect(await chargedOf(id)).toEqual(charged);
    expect(await cyclesOf(world, id)).toHaveLength(4);
    await pass(world, dayMs);
    expect(await chargedOf(id)).toEqual([...charged, 8]);
  });

  it("are not lost by two pauses, nor are these charged", async () => {
    const id = await unheard();
    for (const days of [2.5, 2.2]) {
      world.clock.advance(days * dayMs);
      await pause(id);
      world.clock.advance(2 * dayMs);
      await resume(id);
    }
    await passHours(5);
    const { length } = charged;
    expect((await chargedOf(id)).slice(0, length)).toEqual(charged);
    // The fifth and sixth period began during the first pause, the ninth and tenth during the second.
    expect((await cyclesOf(world, id)).map(({ cycle }) => cycle)).toEqual([1, 2, 3, 4, 7, 8]);
    expect((await chargedOf(id)).slice(length)).toEqual(catch_up === "all" ? [7, 8] : [8]);
  });

  it("are not lost if a pause ends in the period in which it began", async () => {
    const id = await unheard();
    world.clock.advance(2.5 * dayMs);
    await pause(id);
    await resume(id);
    await passHours(3);
    expect(await chargedOf(id)).toEqual(charged);
  });

  it("are not lost if the payment request of the charge is canceled", async () => {
    const id = await unheard();
    await pass(world, 2 * minuteMs);
    world.clock.advance(2.5 * dayMs);
    const { latest_payment_id: payment_id } = await readOne(world, actor(), id);
    await world.call(cancelPayment, actor(), { payment_id });
    await pass(world, 0);
    const [, ...later] = await cyclesOf(world, id);
    expect(later.map(({ cycle, paidAt }) => [cycle, paidAt !== null])).toEqual([
      [2, false],
      [3, catch_up === "all"],
      [4, true],
    ]);
  });
});
