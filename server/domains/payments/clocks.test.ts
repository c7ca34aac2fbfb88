// Processes with wrong clocks: nothing is ended early at the provider, and everything ends eventually.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { authorizationLifetimeMs } from "@/server/domains/providers/provider";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { lookUp } from "@/server/domains/transactions/look-up";
import { limits } from "@/server/kit/limits";
import { ageCharges } from "@/test/charge-ages";
import { expectSoundLedger, rowOf } from "@/test/money";
import { ask, card, goodCard, payWith, transactionsOf } from "@/test/payer";
import { anotherProcess, openWorld, type TestUser, type World } from "@/test/world";

const minute = 60_000;
const confirmed = card("4000002760003184");

let world: World;
let user: TestUser;
let wrong: World | undefined;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  user = (await world.organization()).member;
});
afterEach(async () => {
  await wrong?.close();
  wrong = undefined;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

async function processWithLead(lead: number): Promise<World> {
  wrong = await anotherProcess(world, { clock: { now: () => world.clock.now() + lead } });
  return wrong;
}

/** A charge that waits for the payer or for its capture, made by this process. */
async function charge(writer: World, typed: typeof goodCard): Promise<string> {
  const { payment, token } = await ask(writer, user.actor, { capture_method: "manual" });
  await payWith(writer, token, typed);
  const [attempt] = await transactionsOf(world, payment.payment_id);
  return attempt?.id ?? "";
}

/** Advances the time, also the database's, as if that much had passed since the writer made the charge. */
async function pass(milliseconds: number, writer: World): Promise<void> {
  world.clock.advance(milliseconds);
  await ageCharges({ runtime: world.runtime, clock: { ...world.clock, now: () => writer.runtime.clock.now() } });
}

const statuses = async (id: string) => [
  (await rowOf(world, id)).status,
  (await sandboxProvider(world.runtime, false).lookup("charge", id))?.status,
];

describe.each([
  ["a confirmation", confirmed, limits.charge.confirmMs, "requires_action", ["failed", "declined"]],
  ["an authorization", goodCard, authorizationLifetimeMs, "authorized", ["expired", "canceled"]],
] as const)("%s", (_, typed, lifetime, open, ended) => {
  it.each([15 * minute, 60 * minute])("is not ended early by a process that is %i ms ahead", async (lead) => {
    const judge = await processWithLead(lead);
    const id = await charge(world, typed);
    await pass(lifetime - minute, world);
    const later = await lookUp(judge.runtime, id);
    expect(await statuses(id)).toEqual([open, open]);
    // A little real time has also passed for the database.
    const left = (later?.again ?? 0) - judge.runtime.clock.now();
    expect(left).toBeGreaterThan(minute / 2);
    expect(left).toBeLessThanOrEqual(minute);
    await pass(minute, world);
    await lookUp(judge.runtime, id);
    expect(await statuses(id)).toEqual(ended);
  });

  it("is not ended early when a process that is behind has made the charge", async () => {
    const writer = await processWithLead(-15 * minute);
    const id = await charge(writer, typed);
    await pass(lifetime - minute, writer);
    await lookUp(world.runtime, id);
    expect(await statuses(id)).toEqual([open, open]);
    await pass(minute, writer);
    expect(await lookUp(world.runtime, id)).toBeUndefined();
    expect(await statuses(id)).toEqual(ended);
  });
});
