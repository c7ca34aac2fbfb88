// A worker repairs the queue at startup in batches, however many jobs it contains.
import { gt } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "@/db/client";
import { jobs } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import { openWorld, type World } from "@/test/world";
import { healQueue } from "./heal";
import type { JobRow } from "./store";

const count = 2 * limits.batch.healJobs + 7;
const hourMs = 3_600_000;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  const { clock, db } = world.runtime;
  const ahead = clock.now() + hourMs;
  const rows = Array.from({ length: count }, (_, i): JobRow => {
    const objectId = `pay_${i}`;
    return {
      id: world.id("job"),
      kind: "payments.expire",
      key: `payments.expire:${objectId}`,
      organizationId: "org_1",
      objectId,
      status: "waiting",
      priority: 1,
      runAt: ahead + 5_000,
      dueAt: null,
      lease: null,
      leaseEndsAt: null,
      failures: 0,
      lastError: null,
      progress: null,
      createdAt: ahead,
      updatedAt: ahead,
    };
  });
  await db.write(async (tx) => {
    await tx.delete(jobs);
    while (rows.length > 0) await tx.insert(jobs).values(rows.splice(0, 500));
  });
});
afterAll(() => world.close());

/** The world's process, observed at each transaction: how many jobs are still dated in the future. */
function watched(onWrite: (left: number) => void): World["runtime"] {
  const { db } = world.runtime;
  const write: Database["write"] = async (work) => {
    const value = await db.write(work);
    onWrite(await stillAhead());
    return value;
  };
  return { ...world.runtime, db: { ...db, write } };
}

const stillAhead = () => world.runtime.db.read.$count(jobs, gt(jobs.updatedAt, world.clock.now()));

it("the repair moves all jobs back, a limited number per transaction", async () => {
  const left: number[] = [];
  await healQueue(
    watched((jobsLeft) => left.push(jobsLeft)),
    world.clock.now(),
  );
  expect(left).toEqual([count - limits.batch.healJobs, count - 2 * limits.batch.healJobs, 0]);
  const [row] = await world.runtime.db.read.select().from(jobs).limit(1);
  expect(row).toMatchObject({ runAt: world.clock.now() + 5_000, updatedAt: world.clock.now() });
});

it("the repair ends after the current batch when the process stops", async () => {
  const stopping = new AbortController();
  await healQueue(
    watched(() => stopping.abort()),
    world.clock.now(),
    stopping.signal,
  );
  expect(await stillAhead()).toBe(count - limits.batch.healJobs);
});
