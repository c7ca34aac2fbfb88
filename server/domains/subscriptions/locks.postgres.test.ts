// Payers, closings and workers at several periods of one subscription, with PostgreSQL's row locks: no deadlock.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expirePayments } from "@/server/domains/payments/expire";
import { paymentUrl } from "@/server/domains/payments/link";
import { Failure } from "@/server/kit/errors";
import { dayMs } from "@/server/kit/limits";
import { closeAccountOf } from "@/test/closing";
import { deadlocksIn } from "@/test/deadlocks";
import { pass, runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { formToken, paymentRow, submit, tokenOf, transactionsOf } from "@/test/payer";
import { cyclesOf, subscribe } from "@/test/subscriber";
import { anotherProcess, openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let other: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
  other = await anotherProcess(world);
  org = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await other.close();
  await world.close();
});

const daily = { subscription: { interval: "day", interval_count: 1 } } as const;

/** A user with daily subscriptions whose worker stood still for 14 days, and the ids of the periods that it missed. */
async function missedPeriods(subscriptions: number) {
  const user = await world.user(org.id);
  const begun = [];
  for (let i = 0; i < subscriptions; i++) begun.push(await subscribe(world, user.actor, daily));
  await pass(world, 0);
  await pass(world, 14 * dayMs);
  const missed: string[] = [];
  for (const { id } of begun) {
    for (const { isMissed, paymentId } of await cyclesOf(world, id)) if (isMissed) missed.push(paymentId);
  }
  expect(missed.length).toBeGreaterThanOrEqual(8 * subscriptions);
  return { user, missed };
}

/** The pages of payment requests, with loaded forms. */
async function formsOf(ids: readonly string[]) {
  const forms = [];
  for (const id of ids) {
    const token = tokenOf(paymentUrl(world.runtime, await paymentRow(world, id)));
    forms.push({ id, token, form: await formToken(world, token) });
  }
  return forms;
}

/** Whether the call was accepted. Rejects for a failure that is no refusal. */
const isAccepted = (call: Promise<unknown>) =>
  call.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure && error.status < 500) return false;
      throw error;
    },
  );

/** Throws if one of the payment requests was paid twice. */
async function expectPaidOnce(ids: readonly string[]) {
  for (const id of ids) {
    const charges = (await transactionsOf(world, id)).filter(({ amountCaptured }) => amountCaptured > 0);
    expect(charges.length).toBeLessThanOrEqual(1);
    expect((await paymentRow(world, id)).amountPaid).toBe(charges.length * 1250);
  }
}

it("payers of several periods of one subscription, at one address, take locks in one order", async () => {
  const { missed } = await missedPeriods(1);
  const before = await deadlocksIn(world);
  const forms = await formsOf(missed.slice(0, 8));
  const paid = await Promise.all(
    forms.map(({ token, form }, i) => isAccepted(submit(i % 2 ? world : other, token, form))),
  );
  expect(paid).toEqual(forms.map(() => true));
  await expectPaidOnce(missed);
  expect((await deadlocksIn(world)) - before).toBe(0);
}, 120_000);

it.each([20, 100])(
  "closing an account takes locks in the order of payers of missed periods (after %i ms)",
  async (after) => {
    const { user, missed } = await missedPeriods(2);
    const before = await deadlocksIn(world);
    const forms = await formsOf([...missed.slice(0, 4), ...missed.slice(-4)]);
    const paying = forms.map(({ token, form }, i) => isAccepted(submit(i % 2 ? world : other, token, form)));
    await sleep(after);
    await closeAccountOf(world, org.admin.actor, user.accountId);
    await Promise.all(paying);
    await runJobs(world);
    await expectPaidOnce(missed);
    expect((await deadlocksIn(world)) - before).toBe(0);
  },
  120_000,
);

it("workers that expire periods of the same subscriptions take locks in one order", async () => {
  const { missed } = await missedPeriods(6);
  world.clock.advance(40 * dayMs);
  const before = await deadlocksIn(world);
  // Each batch has periods of each subscription, in another order.
  const batches = [0, 1, 2, 3].map((rest) => missed.filter((_, i) => i % 4 === rest));
  await Promise.all(
    batches.map((ids, i) => expirePayments((i % 2 ? world : other).runtime, i % 2 ? ids : ids.toReversed())),
  );
  for (const id of missed) expect((await paymentRow(world, id)).status).toBe("expired");
  expect((await deadlocksIn(world)) - before).toBe(0);
}, 120_000);
