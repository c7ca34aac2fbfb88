// What an advance of the sandbox clock meets: mails of its acts, a second advance, a worker that has begun, a payment in
// progress and an act that fails.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { auditEntries, jobs, mails, paymentReminders, sandboxClocks } from "@/db/tables";
import { runUnit } from "@/server/domains/jobs/run";
import type { JobTable } from "@/server/domains/jobs/runner";
import { takeDue } from "@/server/domains/jobs/store";
import { workerRuntime } from "@/server/domains/organizations/time";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { remindWhenDue } from "@/server/domains/payments/reminders";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { timeline } from "@/server/domains/timeline/operations/timeline";
import { dayMs } from "@/server/kit/limits";
import { closeAccountOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import { type MailServer, startMailServer } from "@/test/mail-server";
import { ask, card, formToken, goodCard, payWith, submit, transactionsOf } from "@/test/payer";
import { newEmail } from "@/test/people";
import { moveClock } from "@/test/sandbox-clock";
import { openedWith, openWorld, type TestOrganization, type World } from "@/test/world";
import { advanceOn } from "./advance";
import { sandboxClock } from "./operations/clock";
import { moveSandboxClock } from "./operations/move-clock";

let server: MailServer;
let world: World;
let acme: TestOrganization;
let admin: TestOrganization["admin"]["actor"];
beforeAll(async () => {
  server = await startMailServer();
  world = await openWorld({ SMTP_URL: server.url, MAIL_FROM: "Quittance <mail@example.com>" });
});
beforeEach(async () => {
  acme = await world.organization();
  admin = acme.admin.actor;
});
afterAll(async () => {
  await world.close();
  await server.close();
});

const inDays = (days: number) => new Date(world.clock.now() + days * dayMs).toISOString();

/** A payment request that expires in `days`, with reminders. */
async function reminded(days: number, offsets_days: number[]) {
  const customer = { name: "Grace", email: newEmail() };
  return (await ask(world, admin, { expires_at: inDays(days), customer, reminders: { offsets_days } })).payment
    .payment_id;
}

const remindersOf = async (paymentId: string) =>
  (await world.runtime.db.read.select().from(paymentReminders).where(eq(paymentReminders.paymentId, paymentId))).map(
    ({ sentAt, skippedReason }) => (sentAt === null ? skippedReason : "sent"),
  );

const jobsLeft = () => world.runtime.db.read.select().from(jobs).where(eq(jobs.organizationId, acme.id));

it("the mails of its acts go, even past the end of what they are about", async () => {
  const id = await reminded(10, [-3, -1]);
  await moveClock(world, admin, "P30D");
  await runJobs(world);
  const rows = await world.runtime.db.read.select().from(mails).where(eq(mails.paymentId, id));
  expect(rows.map(({ status, lastError }) => [status, lastError])).toEqual([
    ["sent", null],
    ["sent", null],
  ]);
});

it("the timeline says who acted, as in real time", async () => {
  await moveClock(world, admin, "P1D");
  const { payment } = await ask(world, admin);
  const { data } = await world.call(timeline, admin, { object_id: payment.payment_id });
  expect(data.map(({ type, actor }) => [type, actor?.type])).toEqual([["payment.created", "user"]]);
});

it.each([0, 1, 2])("several advances at once carry each act out, and none dies (%i)", async () => {
  for (let made = 0; made < 6; made++) {
    const { payment, token } = await ask(world, admin, { capture_method: "manual", expires_at: inDays(5 + made) });
    if (made % 2) await payWith(world, token);
    if (made % 4 === 1) await world.call(capturePayment, admin, { payment_id: payment.payment_id });
    await reminded(5 + made, [-3, -2]);
  }
  const noted = vi.spyOn(world.runtime.metrics, "noteJob");
  // An answer may say that the clock runs: the other calls move it as well.
  const moves = ["P10D", "PT1H", "P10D"].map((advance) => world.call(moveSandboxClock, admin, { advance }));
  await Promise.all([...moves, runJobs(world)]);
  const outcomes = noted.mock.calls.map(([, outcome]) => outcome);
  noted.mockRestore();
  expect(outcomes).not.toContain("dead");
  await runJobs(world);
  const left = await jobsLeft();
  expect(left.filter(({ status, lastError }) => status === "dead" || lastError !== null)).toEqual([]);
  expect(await world.call(sandboxClock, admin, {})).toMatchObject({ running: false });
  expect(left.filter(({ kind }) => kind === "sandbox.advance")).toEqual([]);
});

it.each([
  ["another advance has begun", "clock"],
  ["another act is due", "act"],
] as const)("an advance does not end while %s", async (_, what) => {
  await reminded(5, [-3]);
  const acts = await jobsLeft();
  const change = async (offsetMs: number) =>
    world.runtime.db.write(async (tx) => {
      const ofAcme = eq(sandboxClocks.organizationId, acme.id);
      await tx.update(sandboxClocks).set({ offsetMs, isRunning: true }).where(ofAcme);
    });
  const meanwhile = async () => {
    if (what === "clock") return change(60 * dayMs);
    await world.runtime.db.write(async (tx) => {
      for (const { key, dueAt } of acts) await tx.update(jobs).set({ dueAt }).where(eq(jobs.key, key));
    });
  };
  await change(what === "clock" ? dayMs : 40 * dayMs);
  await world.runtime.db.write(async (tx) => {
    const later = world.clock.now() + 50 * dayMs;
    await tx.update(jobs).set({ dueAt: later, runAt: later }).where(eq(jobs.organizationId, acme.id));
  });
  const { runtime } = world;
  let writes = 0;
  const write: typeof runtime.db.write = async (work) => {
    // It has found no act, and none that is late: now it would end.
    if (++writes === 3) await meanwhile();
    return runtime.db.write(work);
  };
  await advanceOn({ ...runtime, db: { ...runtime.db, write } }, acme.id, new AbortController().signal);
  expect(writes).toBeGreaterThan(3);
  const left = await jobsLeft();
  expect(left.filter(({ kind }) => kind === "payments.expire" || kind === "payments.remind")).toEqual([]);
  expect(await world.call(sandboxClock, admin, {})).toMatchObject({ running: false });
});

it("a worker that took an act before leaves it to the advance, which carries it out at its own instant", async () => {
  const id = await reminded(30, [-20, -5]);
  world.clock.advance(10 * dayMs);
  const taking = { priority: 1, now: world.clock.now(), lease: "worker", leaseMs: 60_000, limit: 10 };
  const taken = await world.runtime.db.write((tx) => takeDue(tx, taking));
  const job = taken.find(({ objectId, kind }) => objectId === id && kind === "payments.remind");
  const runtimeFor: JobTable["runtimeFor"] = async (runtime, { organizationId }) => {
    const own = await workerRuntime(runtime, organizationId, true);
    // The advance begins in another process, right after the worker has asked whether there is one.
    const change = { offsetMs: 40 * dayMs, isRunning: true };
    await world.runtime.db.write(async (tx) => {
      await tx.update(sandboxClocks).set(change).where(eq(sandboxClocks.organizationId, acme.id));
    });
    return own;
  };
  const table = { handlers: { "payments.remind": remindWhenDue }, batchHandlers: {}, runtimeFor };
  await runUnit(world.runtime, job ? [job] : [], table);
  expect(await remindersOf(id)).toEqual([null, null]);
  await moveClock(world, admin, "PT0S");
  expect(await remindersOf(id)).toEqual(["sent", "sent"]);
});

it("a payment in progress is not late because the clock moved", async () => {
  const { payment, token } = await ask(world, admin, { expires_at: inDays(90) });
  const form = await formToken(world, token);
  const { runtime } = world;
  let writes = 0;
  const write: typeof runtime.db.write = async (work) => {
    const value = await runtime.db.write(work);
    if (++writes === 1) await moveClock(world, admin, "PT1M");
    return value;
  };
  await submit(openedWith(world, { ...runtime, db: { ...runtime.db, write } }), token, form, goodCard);
  expect((await transactionsOf(world, payment.payment_id)).map(({ status }) => status)).toEqual(["succeeded"]);
});

it("money on a closed account is flagged, although its act was due before the closing", async () => {
  const { payment, token } = await ask(world, admin);
  await payWith(world, token, { ...card(troubledCard), security_code: lostAnswerCode });
  const [attempt] = await transactionsOf(world, payment.payment_id);
  world.clock.advance(dayMs);
  await closeAccountOf(world, admin, acme.admin.accountId);
  world.clock.advance(1000);
  await moveClock(world, admin, "P30D");
  const ofAttempt = eq(auditEntries.targetId, attempt?.id ?? "");
  const entries = await world.runtime.db.read.select().from(auditEntries).where(ofAttempt);
  expect(entries.map(({ detail }) => detail)).toContainEqual(expect.objectContaining({ late: true }));
});
