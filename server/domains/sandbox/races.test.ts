// A write sees the sandbox clock before or after an advance, never between, and what it schedules is never left behind.
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, isNotNull } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { jobs, payments, sandboxClocks } from "@/db/tables";
import { keepClock } from "@/server/domains/organizations/clock-store";
import { dayMs } from "@/server/kit/limits";
import { ask, payWith } from "@/test/payer";
import { moveClock } from "@/test/sandbox-clock";
import { anotherProcess, openWorld, type World } from "@/test/world";

let world: World;
let other: World;
beforeAll(async () => {
  world = await openWorld();
  other = dialect === "postgres" ? await anotherProcess(world) : world;
});
afterAll(async () => {
  if (other !== world) await other.close();
  await world.close();
});

const rounds = 6;
const atOnce = 12;

it("writes beside an advance", async () => {
  const { id, admin, member } = await world.organization();
  const start = world.clock.now();
  const expires_at = (days: number) => new Date(start + days * dayMs).toISOString();
  for (let round = 0; round < rounds; round++) {
    const writes = Array.from({ length: atOnce }, async (_, i) => {
      const { token } = await ask(i % 2 ? world : other, member.actor, { expires_at: expires_at(rounds + 1 + i) });
      if (i % 3 === 0) await payWith(other, token);
    });
    await Promise.all([moveClock(world, admin.actor, "P1D"), ...writes]);
  }
  const { db } = world.runtime;
  const [clock] = await db.read.select().from(sandboxClocks).where(eq(sandboxClocks.organizationId, id));
  expect(clock).toMatchObject({ offsetMs: rounds * dayMs, isRunning: false });
  const rows = await db.read.select().from(payments).where(eq(payments.organizationId, id));
  const seen = new Set(rows.map(({ createdAt }) => createdAt));
  for (const at of seen) expect((at - start) % dayMs).toBe(0);
  // Every act runs in real time when the clock shows its instant.
  const acts = await db.read
    .select()
    .from(jobs)
    .where(and(eq(jobs.organizationId, id), isNotNull(jobs.dueAt)));
  expect(acts.length).toBeGreaterThanOrEqual(rounds * atOnce * 0.6);
  expect(acts.filter(({ runAt, dueAt }) => runAt !== (dueAt ?? 0) - rounds * dayMs)).toEqual([]);
});

it("an advance waits for a write that has read the clock", async () => {
  const { id, admin } = await world.organization();
  const order: string[] = [];
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const write = world.runtime.db.write(async (tx) => {
    await keepClock(tx, id);
    begin();
    await sleep(500);
    order.push("write");
  });
  await begun;
  const advance = moveClock(other, admin.actor, "P1D").then(() => order.push("advance"));
  await Promise.all([write, advance]);
  expect(order).toEqual(["write", "advance"]);
});
