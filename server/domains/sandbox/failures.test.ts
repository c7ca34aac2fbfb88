// What an advance of the sandbox clock does about what fails: a capture whose process died, an act, and the advance.
import { and, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { jobs, sandboxClocks } from "@/db/tables";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { getPayment } from "@/server/domains/payments/operations/get";
import { paymentStatus } from "@/server/domains/payments/operations/status";
import { dayMs, hourMs } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { ask, payWith, transactionsOf } from "@/test/payer";
import { forgetFault, planFault } from "@/test/provider-faults";
import { moveClock } from "@/test/sandbox-clock";
import { openedWith, openWorld, type TestOrganization, type World } from "@/test/world";
import { moveSandboxClock } from "./operations/move-clock";

let world: World;
let acme: TestOrganization;
let admin: TestOrganization["admin"]["actor"];
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
  admin = acme.admin.actor;
});
afterEach(() => void forgetFault());
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const inDays = (days: number) => new Date(world.clock.now() + days * dayMs).toISOString();
const jobOf = async (kind: string, objectId: string) => {
  const isIt = and(eq(jobs.kind, kind), eq(jobs.objectId, objectId));
  return (await world.runtime.db.read.select().from(jobs).where(isIt))[0];
};

async function held(): Promise<string> {
  const { payment, token } = await ask(world, admin, { capture_method: "manual", expires_at: inDays(60) });
  await payWith(world, token);
  // Handles the event of the charge, which would otherwise carry out what is decided later.
  await runJobs(world);
  return payment.payment_id;
}

it.each([
  ["before it reached the provider", "before"],
  ["after it", "after"],
] as const)("carries out a capture that was decided before, and whose process died %s", async (_, moment) => {
  const payment_id = await held();
  const decidedAt = world.clock.now();
  const reached = planFault("capture", "death", moment);
  world.call(capturePayment, admin, { payment_id, amount: 500 }).catch(() => {});
  await reached;
  await moveClock(world, admin, "P30D");
  expect(await world.call(getPayment, admin, { payment_id })).toMatchObject({ status: "paid", amount_paid: 500 });
  expect(await transactionsOf(world, payment_id)).toMatchObject([{ status: "succeeded", settledAt: decidedAt }]);
});

it("tries an act three times in its turn, goes on, and leaves it to the worker", async () => {
  const payment_id = await held();
  const [hold] = await transactionsOf(world, payment_id);
  const later = await ask(world, admin, { expires_at: inDays(20) });
  let tries = 0;
  const fail = (): void =>
    void planFault("cancel", "reset", "before").then(() => {
      tries++;
      fail();
    });
  fail();
  await moveClock(world, admin, "P30D");
  expect(tries).toBe(3);
  const left = await jobOf("payments.lookup", hold?.id ?? "");
  expect(left).toMatchObject({ status: "waiting", failures: 3, lastError: expect.any(String) });
  expect(left?.runAt).toBeGreaterThan(world.clock.now());
  const expired = await world.call(getPayment, admin, { payment_id: later.payment.payment_id });
  expect([expired.status, expired.updated_at]).toEqual(["expired", inDays(20)]);
  forgetFault();
  world.clock.advance(hourMs);
  await runJobs(world);
  expect(await transactionsOf(world, payment_id)).toMatchObject([{ status: "expired" }]);
});

it("that fails itself is tried again after a pause, and then completes", async () => {
  const { payment } = await ask(world, admin, { expires_at: inDays(5) });
  const { runtime } = world;
  const gone = new AbortController();
  let writes = 0;
  const write: typeof runtime.db.write = (work) => {
    // The first transaction stores the move, the second takes its job.
    if (++writes !== 3) return runtime.db.write(work);
    gone.abort();
    throw new TypeError("A flaw.");
  };
  const flawed = openedWith(world, { ...runtime, db: { ...runtime.db, write } });
  const moved = await flawed.call(moveSandboxClock, admin, { advance: "P9D" }, { signal: gone.signal });
  expect(moved.running).toBe(true);
  const left = await jobOf("sandbox.advance", acme.id);
  expect(left).toMatchObject({ status: "waiting", failures: 1, lastError: expect.any(String) });
  expect(left?.runAt).toBeGreaterThan(world.clock.now());
  await runJobs(world);
  expect(await jobOf("sandbox.advance", acme.id)).toBeDefined();
  world.clock.advance(10_000);
  await runJobs(world);
  expect(await jobOf("sandbox.advance", acme.id)).toBeUndefined();
  expect(await world.call(getPayment, admin, { payment_id: payment.payment_id })).toMatchObject({ status: "expired" });
});

it("is seen by a call that waits, even before what became due is carried out", async () => {
  const { payment } = await ask(world, admin, { expires_at: inDays(5) });
  const waiting = world.call(paymentStatus, admin, { payment_id: payment.payment_id, wait: 1 });
  await new Promise((resume) => setTimeout(resume, 50));
  const setClock = (change: Partial<typeof sandboxClocks.$inferInsert>) =>
    world.runtime.db.write(async (tx) => {
      await tx.update(sandboxClocks).set(change).where(eq(sandboxClocks.organizationId, acme.id));
    });
  await setClock({ offsetMs: 9 * dayMs, isRunning: true });
  expect(await waiting).toMatchObject({ status: "expired" });
  await setClock({ isRunning: false });
});
