// Renewals at the same time as commands, payers, other workers and erasing: one charge for each period, whoever wins.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { closeAccount } from "@/server/domains/closing/operations/close-account";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { mergeCustomer } from "@/server/domains/closing/operations/merge-customer";
import { createPayment } from "@/server/domains/payments/operations/create";
import { getPayment } from "@/server/domains/payments/operations/get";
import {
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
} from "@/server/domains/subscriptions/operations/change";
import { updateSubscriptionFields } from "@/server/domains/subscriptions/operations/update";
import { runSubscription } from "@/server/domains/subscriptions/run";
import { dayMs } from "@/server/kit/limits";
import { together } from "@/test/at-once";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { card, formToken, paymentRow, submit, tokenOf, transactionsOf } from "@/test/payer";
import { cyclesOf, monthly, readOne, subscribe } from "@/test/subscriber";
import { anotherProcess, openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
/** Calls come from two processes if the engine supports several. */
let processes: World[];
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
  processes = dialect === "postgres" ? [world, await anotherProcess(world)] : [world];
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  for (const one of processes.toReversed()) await one.close();
});

const actor = () => acme.member.actor;
const read = (id: string) => readOne(world, actor(), id);
const run = (id: string) => (from: World) => runSubscription(from.runtime, id);
const worker = (from: World) => runJobs(from);

const thirtyDays = { interval: "day", interval_count: 30 } as const;

/** A subscription whose renewal is due now. */
async function due(method = card("4242424242424242"), fields: Parameters<typeof subscribe>[2] = {}) {
  const begun = await subscribe(world, actor(), { subscription: thirtyDays, ...fields }, method);
  await runJobs(world);
  world.clock.advance(30 * dayMs);
  return begun;
}

/** What took money for each cycle. Each has at most one payment. */
async function charges(id: string): Promise<number[]> {
  world.clock.advance(31_000);
  await runJobs(world);
  const counts: number[] = [];
  for (const { paymentId } of await cyclesOf(world, id)) {
    const paid = (await transactionsOf(world, paymentId)).filter(({ amountCaptured }) => amountCaptured > 0);
    counts.push(paid.length);
  }
  return counts;
}

describe.each([1, 2, 3])("a renewal, round %i", () => {
  it("that several workers do at once is charged once", async () => {
    const { id } = await due();
    await together(processes, run(id), run(id), worker, run(id), worker, run(id));
    expect(await charges(id)).toEqual([1, 1]);
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2 });
  });

  it("and a cancelation agree: either nothing is charged, or the money stays", async () => {
    const { id } = await due();
    const cancel = (from: World) => from.call(cancelSubscription, actor(), { subscription_id: id, at: "now" });
    const answers = await together(processes, run(id), cancel, run(id), cancel);
    expect(answers.filter((one) => one === "invalid_subscription_state")).toHaveLength(1);
    const counts = await charges(id);
    const row = await read(id);
    expect(row).toMatchObject({ status: "canceled", next_charge_at: null });
    expect(row.cycles_done).toBe(counts.reduce((sum, one) => sum + one, 0));
    expect(counts.slice(1).every((count) => count <= 1)).toBe(true);
  });

  it("and a new amount agree: the payment request has one of both, and is charged that", async () => {
    const { id } = await due();
    const change = (from: World) => from.call(updateSubscriptionFields, actor(), { subscription_id: id, amount: 900 });
    expect(await together(processes, run(id), change, run(id))).toEqual(["done", "done", "done"]);
    expect(await charges(id)).toEqual([1, 1]);
    const [, second] = await cyclesOf(world, id);
    expect([900, 1250]).toContain(second?.amount);
    const [charge] = await transactionsOf(world, second?.paymentId ?? "");
    expect(charge?.amountCaptured).toBe(second?.amount);
    expect((await read(id)).amount).toBe(900);
  });

  it("and a pause agree", async () => {
    const { id } = await due();
    const pause = (from: World) => from.call(pauseSubscription, actor(), { subscription_id: id });
    const resume = (from: World) => from.call(resumeSubscription, actor(), { subscription_id: id });
    await together(processes, run(id), pause, run(id), resume, pause);
    const counts = await charges(id);
    expect(counts.every((count) => count <= 1)).toBe(true);
    expect(["active", "paused"]).toContain((await read(id)).status);
  });

  it("is never lost or charged for a customer who is erased, merged or whose account closes", async () => {
    const customer = { email: `race.${acme.id}@example.com` };
    const { id } = await due(undefined, { customer });
    const customer_id = (await read(id)).customer_id ?? "";
    const other = await world.call(createPayment, actor(), {
      ...({ type: "product", amount: 100, currency: "EUR" } as const),
      customer: { email: `other.${acme.id}@example.com` },
    });
    const into_customer_id = other.customer?.customer_id ?? "";
    const erase = (from: World) => from.call(eraseCustomer, actor(), { customer_id });
    const merge = (from: World) => from.call(mergeCustomer, actor(), { customer_id, into_customer_id });
    const answers = await together(processes, run(id), erase, merge, run(id));
    expect(["customer_in_use", "customer_not_found"]).toContain(answers[1]);
    expect(answers[2]).toBe("done");
    expect(await charges(id)).toEqual([1, 1]);
    world.clock.advance(31 * dayMs);
    const close = (from: World) => from.call(closeAccount, acme.admin.actor, { account_id: acme.member.accountId });
    await together(processes, run(id), close, run(id));
    expect((await charges(id)).every((count) => count <= 1)).toBe(true);
    expect(await readOne(world, acme.admin.actor, id)).toMatchObject({ status: "canceled" });
  });

  it("that failed is paid once by its page and its retry together", async () => {
    const { id } = await due(card("4000000000000341"));
    await runJobs(world);
    const { latest_payment_id: payment_id, status } = await read(id);
    expect(status).toBe("past_due");
    const token = tokenOf((await world.call(getPayment, actor(), { payment_id })).payment_url);
    const form = await formToken(world, token);
    world.clock.advance(dayMs);
    const pay = (from: World) => submit(from, token, form);
    await together(processes, run(id), pay, run(id), pay);
    expect(await charges(id)).toEqual([1, expect.any(Number)]);
    const row = await paymentRow(world, payment_id);
    expect(row.amountOverpaid).toBe(0);
    expect(["paid", "pending"]).toContain(row.status);
  });
});

it("a first payment and its card are stored once, however often the form is sent", async () => {
  const begun = await subscribe(world, actor(), { subscription: { ...monthly, trial_days: 1 } });
  expect((await read(begun.id)).status).toBe("trialing");
  world.clock.advance(dayMs);
  await together(processes, run(begun.id), worker, run(begun.id));
  expect(await charges(begun.id)).toEqual([1]);
});

it.each([{}, { trial_days: 5 }])(
  "a cancelation whose period is over is not taken back, although the worker has not come to it (%o)",
  async (more) => {
    const { id } = await subscribe(world, actor(), { subscription: { ...thirtyDays, ...more } });
    await world.call(cancelSubscription, actor(), { subscription_id: id, at: "period_end" });
    const { current_period_end: end } = await read(id);
    world.clock.advance(Date.parse(end ?? "") - world.clock.now() + 60_000);
    const input = { subscription_id: id, cancel_at_period_end: false as const };
    const [outcome] = await together(processes, (from) => from.call(resumeSubscription, actor(), input));
    expect(outcome).toBe("invalid_subscription_state");
    await runJobs(world);
    expect(await read(id)).toMatchObject({ status: "canceled" });
  },
);
