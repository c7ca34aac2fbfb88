// Repeated tasks run at once and at intervals, never twice at a time, and once more when stopped.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { auditEntries, auditSeals, ledgerCheckpoints } from "@/db/tables";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { openWorld, type World } from "@/test/world";
import { repeat, startTasks } from "./tasks";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test("a task repeats without overlap, survives a failure, and runs once more when stopped", async () => {
  let runs = 0;
  let atOnce = 0;
  let most = 0;
  let stoppingAtLast = false;
  const stop = repeat(world.runtime, {
    name: "test",
    everyMs: 5,
    async run(_runtime, stopping) {
      runs++;
      stoppingAtLast = stopping.aborted;
      most = Math.max(most, ++atOnce);
      await new Promise((resume) => setTimeout(resume, 12));
      atOnce--;
      if (runs === 1) throw new Error("once");
    },
  });
  await vi.waitFor(() => expect(runs).toBeGreaterThanOrEqual(3));
  const before = runs;
  await stop();
  expect(runs).toBeGreaterThan(before);
  expect(stoppingAtLast).toBe(true);
  const after = runs;
  await new Promise((resume) => setTimeout(resume, 40));
  expect(runs).toBe(after);
  expect(most).toBe(1);
});

test("postings and audit entries are signed before the process ends", async () => {
  const stop = startTasks(world.runtime, { isWorker: true });
  const { admin } = await world.organization();
  await world.call(createTransaction, admin.actor, { type: "payment", amount: 100, currency: "EUR" });
  await stop();
  expect(await world.runtime.db.read.$count(ledgerCheckpoints)).toBeGreaterThan(0);
  expect(await world.runtime.db.read.$count(auditSeals)).toBeGreaterThan(0);
});

test("refusals are counted before the process ends, even without a worker", async () => {
  const { clock, db, refusals } = world.runtime;
  const ip = "203.0.113.50";
  const stop = startTasks(world.runtime, { isWorker: false });
  for (let i = 0; i < 15; i++) refusals.admits(ip, clock.now());
  await stop();
  const entries = await db.read.select().from(auditEntries).where(eq(auditEntries.ip, ip));
  expect(entries).toMatchObject([{ operation: "calls.refused", detail: { count: 5 } }]);
});
