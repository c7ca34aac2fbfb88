// Closing accounts while other calls write, with PostgreSQL's row locks: no deadlock, and nothing paid is canceled.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lock } from "@/db/lock";
import { payments } from "@/db/tables";
import type { ChargeResult } from "@/server/domains/providers/provider";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { inBackground } from "@/server/domains/records/in-background";
import { settle } from "@/server/domains/transactions/settle";
import { Failure } from "@/server/kit/errors";
import { closeAccountOf, removeUserOf } from "@/test/closing";
import { deadlocksIn } from "@/test/deadlocks";
import { runJobs } from "@/test/jobs";
import { create, earn, expectSoundLedger } from "@/test/money";
import { ask, card, formToken, paymentRow, payWith, submit, transactionsOf } from "@/test/payer";
import { anotherProcess, openWorld, type TestOrganization, type TestUser, type World } from "@/test/world";
import { capturePayment } from "./operations/capture";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000" });
  org = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

it("a payment request that is paid while the closing waits for its lock is neither canceled nor counted", async () => {
  const user = await world.user(org.id);
  const { payment, token } = await ask(world, user.actor);
  await payWith(world, token, { ...card(troubledCard), security_code: lostAnswerCode });
  const [attempt] = await transactionsOf(world, payment.payment_id);
  const id = attempt?.id ?? "";
  const charge = await sandboxProvider(world.runtime, false).lookup("charge", id);
  const other = await anotherProcess(world);
  const closing = await inBackground(other.runtime, "test.settle", async (ctx) => {
    await lock(ctx.db, payments, [payment.payment_id]);
    const closed = closeAccountOf(world, org.admin.actor, user.accountId);
    // Long enough for the closing to find the payment request open and to wait for its lock.
    await sleep(500);
    ctx.audit({ target: id });
    await settle(ctx, id, charge as ChargeResult);
    return { closed };
  });
  expect((await closing.closed).canceled_payments).toBe(0);
  expect(await paymentRow(world, payment.payment_id)).toMatchObject({ status: "paid", canceledAt: null });
  await other.close();
});

/** Resolves when the call answers, also with an error code. Rejects for any other failure. */
const answered = (call: Promise<unknown>) =>
  call.catch((error: unknown) => {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
  });

/** A user with money, authorized payment requests, and open ones with loaded forms. */
async function busyUser() {
  const user = await world.user(org.id);
  await earn(world, user, 10_000);
  const held = [];
  const open = [];
  for (let i = 0; i < 3; i++) {
    const one = await ask(world, user.actor, { capture_method: "manual" });
    await payWith(world, one.token);
    held.push(one.payment.payment_id);
    const two = await ask(world, user.actor);
    open.push({ id: two.payment.payment_id, token: two.token, form: await formToken(world, two.token) });
  }
  return { user, held, open };
}

const transfer = (process: World, from: TestUser, to: TestUser) =>
  create(process, from.actor, { type: "transfer", destination_account_id: to.accountId, amount: 5, currency: "EUR" });

it("concurrent captures, payments, transfers, removals and closings lock rows in one order", {
  timeout: 120_000,
}, async () => {
  const before = await deadlocksIn(world);
  for (let round = 0; round < 2; round++) {
    const people = [];
    for (let i = 0; i < 5; i++) people.push(await busyUser());
    const process = await anotherProcess(world);
    const calls: (() => Promise<unknown>)[] = [];
    for (const { user, held, open } of people) {
      for (const payment_id of held) calls.push(() => process.call(capturePayment, user.actor, { payment_id }));
      for (const { id, token, form } of open) {
        const offline = { type: "payment", payment_id: id, amount: 10, currency: "EUR" } as const;
        calls.push(() => create(process, user.actor, offline));
        calls.push(() => submit(process, token, form));
      }
      for (const { user: to } of people) if (to !== user) calls.push(() => transfer(process, user, to));
    }
    for (const { user } of people.slice(0, 3)) {
      calls.push(() => closeAccountOf(process, org.admin.actor, user.accountId));
    }
    for (const { user } of people.slice(2, 4)) {
      calls.push(() => removeUserOf(process, org.admin.actor, user.id));
    }
    calls.sort(() => Math.random() - 0.5);
    await Promise.all(calls.map((call) => answered(call())));
    await runJobs(process);
    await process.close();
  }
  expect((await deadlocksIn(world)) - before).toBe(0);
});
