// A subscription of which a dispute took a payment back: it waits until somebody resumes it, or goes on as its organization chose.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { events } from "@/db/tables";
import { verifyLedger } from "@/server/domains/ledger/verify";
import { updateOrganizationSettings } from "@/server/domains/onboarding/operations/organization-settings";
import { reopenPayment } from "@/server/domains/payments/operations/reopen";
import { simulateEvent } from "@/server/domains/sandbox/operations/simulate";
import { listSubscriptions } from "@/server/domains/subscriptions/operations/read";
import { dayMs } from "@/server/kit/limits";
import { iso } from "@/server/process/clock";
import { runJobs } from "@/test/jobs";
import { payWith } from "@/test/payer";
import { commandsOf, cyclesOf, readOne, subscribe } from "@/test/subscriber";
import { anotherProcess, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let world: World;
/** Calls come from two processes if the engine supports several. */
let processes: World[];
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  processes = dialect === "postgres" ? [world, await anotherProcess(world)] : [world];
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(async () => {
  expect(await verifyLedger(world.database.url, world.runtime.keys)).toMatchObject({ ok: true });
  for (const one of processes.toReversed()) await one.close();
});

const actor = () => acme.member.actor;
const { cancel, pause, resume } = commandsOf(() => world, actor);
const read = (id: string) => readOne(world, actor(), id);
const simulate = (payment_id: string, event: "dispute" | "dispute_won" | "dispute_lost", from = world) =>
  from.call(simulateEvent, acme.admin.actor, { payment_id, event });
const lose = async (payment_id: string) => {
  await simulate(payment_id, "dispute");
  await simulate(payment_id, "dispute_lost");
};
const monthsOn = async (months: number) => {
  for (let at = 0; at < months; at++) {
    world.clock.advance(31 * dayMs);
    await runJobs(world);
  }
};
const begun = async (id: string) => (await cyclesOf(world, id)).length;
/** The reasons of its events `subscription.paused`. */
const reasonsOf = async (id: string) => {
  const isPause = and(eq(events.objectId, id), eq(events.type, "subscription.paused"));
  const rows = await world.runtime.db.read.select({ data: events.data }).from(events).where(isPause);
  return rows.map(({ data }) => (data as { reason?: string }).reason);
};
const waiting = { status: "paused", pause_reason: "dispute_lost", resume_at: null, next_charge_at: null };

describe("a subscription whose payment was lost", () => {
  it("waits while nobody resumes it, and goes on with the next period", async () => {
    const { id, payment } = await subscribe(world, actor());
    await simulate(payment.payment_id, "dispute");
    expect(await read(id)).toMatchObject({ status: "active", pause_reason: null });
    await simulate(payment.payment_id, "dispute_lost");
    expect(await read(id)).toMatchObject(waiting);
    expect(await reasonsOf(id)).toEqual(["dispute_lost"]);
    await monthsOn(3);
    expect(await begun(id)).toBe(1);
    expect(await read(id)).toMatchObject(waiting);
    expect(await resume(id)).toMatchObject({ status: "active", pause_reason: null });
    await monthsOn(1);
    expect(await begun(id)).toBe(2);
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2 });
  });

  it("waits after the loss of a renewal, and of an earlier period, too", async () => {
    const { id, payment } = await subscribe(world, actor());
    await monthsOn(1);
    const { latest_payment_id: renewal } = await read(id);
    await lose(renewal);
    expect(await read(id)).toMatchObject(waiting);
    await resume(id);
    await lose(payment.payment_id);
    expect(await read(id)).toMatchObject(waiting);
    expect(await reasonsOf(id)).toEqual(["dispute_lost", "dispute_lost"]);
  });

  it("is found by its reason", async () => {
    const [first, second] = [await subscribe(world, actor()), await subscribe(world, actor())];
    await lose(first.payment.payment_id);
    await pause(second.id);
    const listed = await world.call(listSubscriptions, actor(), { pause_reason: ["dispute_lost"] } as never);
    expect(listed.data.map(({ subscription_id }) => subscription_id)).toEqual([first.id]);
    const restored = await world.call(listSubscriptions, actor(), { pause_reason: ["database_restored"] } as never);
    expect(restored.data).toEqual([]);
  });

  it("no longer resumes by itself if it was paused for some days", async () => {
    const { id, payment } = await subscribe(world, actor());
    await pause(id, iso(world.clock.now() + 5 * dayMs));
    await lose(payment.payment_id);
    expect(await read(id)).toMatchObject(waiting);
    await monthsOn(2);
    expect(await begun(id)).toBe(1);
    expect(await refusalOf(pause(id))).toBe("invalid_subscription_state");
    expect(await resume(id)).toMatchObject({ status: "active", pause_reason: null });
  });

  it("stays canceled, and can be canceled while it waits", async () => {
    const [first, second] = [await subscribe(world, actor()), await subscribe(world, actor())];
    await cancel(first.id);
    await lose(first.payment.payment_id);
    expect(await read(first.id)).toMatchObject({ status: "canceled", pause_reason: null });
    await lose(second.payment.payment_id);
    expect(await cancel(second.id)).toMatchObject({ status: "canceled", pause_reason: null });
  });

  it("counts the period once, although its payment is due again and paid a second time", async () => {
    const { id, payment, token } = await subscribe(world, actor());
    const { payment_id } = payment;
    await lose(payment_id);
    await world.call(reopenPayment, actor(), { payment_id });
    expect(await verifyLedger(world.database.url, world.runtime.keys)).toMatchObject({ ok: true });
    await payWith(world, token);
    expect(await read(id)).toMatchObject({ ...waiting, cycles_done: 1 });
    expect(await cyclesOf(world, id)).toMatchObject([{ cycle: 1, paidAt: expect.any(Number) }]);
    expect(await verifyLedger(world.database.url, world.runtime.keys)).toMatchObject({ ok: true });
  });

  it("goes on after a dispute that was won, and with the setting that says so", async () => {
    const won = await subscribe(world, actor());
    await simulate(won.payment.payment_id, "dispute");
    await simulate(won.payment.payment_id, "dispute_won");
    expect(await read(won.id)).toMatchObject({ status: "active", pause_reason: null });
    await world.call(updateOrganizationSettings, acme.admin.actor, { after_lost_dispute: "continue" });
    const lost = await subscribe(world, actor());
    await lose(lost.payment.payment_id);
    expect(await read(lost.id)).toMatchObject({ status: "active", pause_reason: null });
    await monthsOn(1);
    for (const { id } of [won, lost]) expect(await begun(id)).toBe(2);
  });
});

it.each(["dispute_won first", "dispute_lost first"])(
  "waits exactly if the money is lost, whichever report comes when: %s",
  async (order) => {
    for (let round = 0; round < 3; round++) {
      const { id, payment } = await subscribe(world, actor());
      await simulate(payment.payment_id, "dispute");
      const events = ["dispute_won", "dispute_lost"] as const;
      const sent = order === "dispute_won first" ? events : events.toReversed();
      await Promise.allSettled(
        sent.map((event, at) => simulate(payment.payment_id, event, processes[at % processes.length])),
      );
      const row = await read(id);
      const reasons = await reasonsOf(id);
      expect([row.status, reasons]).toEqual(row.pause_reason === null ? ["active", []] : ["paused", ["dispute_lost"]]);
      await monthsOn(1);
      expect(await begun(id)).toBe(row.pause_reason === null ? 2 : 1);
    }
  },
);

it("never charges the card once the loss is known, while the worker renews", async () => {
  const { id, payment } = await subscribe(world, actor());
  await simulate(payment.payment_id, "dispute");
  world.clock.advance(31 * dayMs);
  await Promise.all([simulate(payment.payment_id, "dispute_lost"), runJobs(processes.at(-1) ?? world)]);
  await runJobs(world);
  expect(await read(id)).toMatchObject({ status: "paused", pause_reason: "dispute_lost" });
  const before = await begun(id);
  expect(before).toBeLessThanOrEqual(2);
  await monthsOn(2);
  expect(await begun(id)).toBe(before);
});
