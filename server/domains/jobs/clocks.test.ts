// Two processes whose clocks differ by an hour: jobs are due for both at the same time, the database's.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseTime } from "@/db/now";
import { jobs } from "@/db/tables";
import { newId } from "@/server/kit/ids";
import { machine } from "@/server/process/clock";
import { runJobsOnce } from "@/test/jobs";
import { anotherProcess, openWorld, type World } from "@/test/world";
import { schedule } from "./queue";

const minute = 60_000;
const hour = 60 * minute;

let world: World;
let right: World;
beforeAll(async () => {
  world = await openWorld();
  right = await anotherProcess(world, { clock: machine });
});
beforeEach(() => world.runtime.db.write(async (tx) => void (await tx.delete(jobs))));
afterAll(async () => {
  await right.close();
  await world.close();
});

/**
 * Schedules a job whose content does not matter, and returns its id. Two processes agree on the time within a round
 * trip to the database, which takes long on a busy machine: a job that must be due is scheduled for a minute ago.
 */
async function scheduleJob({ runtime: { db, clock } }: World, delayMs: number): Promise<string> {
  const now = clock.now();
  const objectId = newId("pay", now);
  const wanted = {
    kind: "payments.expire",
    organizationId: newId("org", now),
    objectId,
    dueAt: now + delayMs,
  } as const;
  await db.write((tx) => schedule({ db: tx, now, realNow: now, id: (prefix) => newId(prefix, now) }, wanted));
  return objectId;
}

const isLeft = async (objectId: string) => (await world.runtime.db.read.$count(jobs, eq(jobs.objectId, objectId))) > 0;

describe.each([
  ["ahead", hour],
  ["behind", -hour],
])("a process whose machine's clock is an hour %s", (_, lead) => {
  let wrong: World;
  beforeAll(async () => {
    wrong = await anotherProcess(world, { clock: { ...machine, wall: () => Date.now() + lead } });
  });
  afterAll(() => wrong.close());

  it("follows the database's time", async () => {
    const now = await databaseTime(world.runtime.db.read);
    expect(Math.abs(wrong.runtime.clock.now() - now)).toBeLessThan(10 * minute);
  });

  it("schedules jobs that the other runs on time", async () => {
    const due = await scheduleJob(wrong, -minute);
    const later = await scheduleJob(wrong, 30 * minute);
    await runJobsOnce(right);
    expect([await isLeft(due), await isLeft(later)]).toEqual([false, true]);
  });

  it("runs the other's jobs on time", async () => {
    const due = await scheduleJob(right, -minute);
    const later = await scheduleJob(right, 30 * minute);
    await runJobsOnce(wrong);
    expect([await isLeft(due), await isLeft(later)]).toEqual([false, true]);
  });
});
