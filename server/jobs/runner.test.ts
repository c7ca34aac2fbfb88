// The queue: what is wanted is done once it is due, by one worker at a time, and again until it is done or dead.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { dialect } from "@/db/dialect";
import { jobs } from "@/db/tables";
import { runJobs } from "@/server/testing/jobs";
import { anotherProcess, openWorld, type TestOrganization, type World } from "@/server/testing/world";
import type { Handler } from "./handlers";
import { type JobKind, schedule, unschedule } from "./queue";
import { retryDelayMs, runDueJobs, startRunner } from "./runner";

/** What the handler of `payments.lookup` does in the test at hand. */
let handle: Handler;
vi.mock("./handlers", () => ({
  handlers: { "payments.lookup": (...given: Parameters<Handler>) => handle(...given) },
}));

let world: World;
let acme: TestOrganization;
let done: string[];
const succeed: Handler = async (_runtime, objectId) => {
  done.push(objectId);
  return undefined;
};
const _fail: Handler = async () => {
  throw new Error("It cannot be done.");
};

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
  await world.runtime.db.write(async (tx) => void (await tx.delete(jobs)));
  done = [];
  handle = succeed;
});
afterAll(() => world.close());

const soon = () => world.clock.now();

async function want(objectId: string, runAt = soon(), kind = "payments.lookup" as JobKind): Promise<void> {
  await world.runtime.db.write((db) =>
    schedule({ db, now: world.clock.now(), id: world.id }, { kind, organizationId: acme.id, objectId, runAt }),
  );
}

async function jobOf(objectId: string) {
  const [row] = await world.runtime.db.read.select().from(jobs).where(eq(jobs.objectId, objectId));
  return row;
}

describe("a job", () => {
  it("is not there if the transaction that wants it is undone, and is if it commits", async () => {
    const undone = world.runtime.db.write(async (db) => {
      const ctx = { db, now: world.clock.now(), id: world.id };
      await schedule(ctx, { kind: "payments.lookup", organizationId: acme.id, objectId: "undone", runAt: soon() });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await want("kept");
    await runJobs(world);
    expect(done).toEqual(["kept"]);
    expect(await jobOf("kept")).toBeUndefined();
  });

  it("waits for its time, is wanted once for one thing, and can be taken back", async () => {
    await want("a", soon() + 1000);
    await want("a", soon() + 2000);
    await want("b", soon() + 1000);
    await world.runtime.db.write((db) => unschedule({ db }, "payments.lookup", "b"));
    world.clock.advance(1999);
    await runJobs(world);
    expect(done).toEqual([]);
    world.clock.advance(1);
    await runJobs(world);
    expect(done).toEqual(["a"]);
  });

  it("is done again at the time that its handler names", async () => {
    handle = async (runtime, objectId) => {
      done.push(objectId);
      return done.length < 3 ? { again: runtime.clock.now() + 1000 } : undefined;
    };
    await want("a");
    for (let count = 1; count <= 3; count++) {
      await runJobs(world);
      expect(done).toHaveLength(count);
      world.clock.advance(1000);
    }
    expect(await jobOf("a")).toBeUndefined();
  });

  it("that is wanted anew while a worker does it is done once more", async () => {
    handle = async (_runtime, objectId) => {
      if (done.push(objectId) === 1) await want("a");
      return undefined;
    };
    await want("a");
    expect(await runDueJobs(world.runtime)).toBe(1);
    expect(await jobOf("a")).toMatchObject({ status: "waiting", lease: null, runAt: soon() });
    await runJobs(world);
    expect(done).toEqual(["a", "a"]);
    expect(await jobOf("a")).toBeUndefined();
  });

  it("that is wanted anew while a worker fails at it starts afresh", async () => {
    handle = async () => {
      await want("a", soon() + 5);
      throw new Error("It cannot be done.");
    };
    await want("a");
    await runDueJobs(world.runtime);
    expect(await jobOf("a")).toMatchObject({ failures: 0, lastError: null, runAt: soon() + 5 });
  });
});

describe("a worker that dies", () => {
  it("loses its jobs to another after its lease, and has no say in them any more", async () => {
    let wake = () => {};
    handle = (_runtime, objectId) =>
      new Promise((resolve) => {
        done.push(`dead ${objectId}`);
        wake = () => resolve(undefined);
      });
    await want("a");
    const dead = runDueJobs(world.runtime);
    await vi.waitUntil(() => done.length === 1);
    handle = async (runtime, objectId) => {
      done.push(objectId);
      return { again: runtime.clock.now() + 1000 };
    };
    world.clock.advance(59_999);
    expect(await runDueJobs(world.runtime)).toBe(0);
    world.clock.advance(1);
    expect(await runDueJobs(world.runtime)).toBe(1);
    expect(done).toEqual(["dead a", "a"]);
    wake();
    await dead;
    expect(await jobOf("a")).toMatchObject({ status: "waiting", lease: null, runAt: soon() + 1000 });
  });
});

describe("two workers", () => {
  it("share the jobs: each is done by one of them", async () => {
    // SQLite has one process; two workers of PostgreSQL have connections of their own.
    const second = dialect === "postgres" ? await anotherProcess(world) : null;
    const wanted = Array.from({ length: 100 }, (_, i) => `job ${String(i).padStart(3, "0")}`);
    for (const objectId of wanted) await want(objectId);
    await Promise.all([runJobs(world), runJobs(second ?? world), runJobs(world), runJobs(second ?? world)]);
    await runJobs(world);
    expect(done.sort()).toEqual(wanted);
    await second?.close();
  });
});

describe("a job that fails", () => {
  it("is tried again later each time, give or take a fifth", () => {
    for (const [failures, seconds] of [
      [1, 2],
      [2, 4],
      [6, 64],
      [11, 2048],
      [12, 3600],
      [39, 3600],
    ] as const) {
      expect(retryDelayMs(failures, 0)).toBe(seconds * 800);
      expect(retryDelayMs(failures, 0.5)).toBe(seconds * 1000);
      expect(retryDelayMs(failures, 1)).toBe(seconds * 1200);
    }
  });

  it("keeps why, lets the others go on, and forgets its failures once it succeeds", async () => {
    handle = async (runtime, objectId) => {
      if (objectId === "bad") throw new Error("x".repeat(600));
      return succeed(runtime, objectId);
    };
    await want("bad");
    await want("good");
    await runJobs(world);
    expect(done).toEqual(["good"]);
    const failed = await jobOf("bad");
    expect(failed).toMatchObject({ status: "waiting", lease: null, failures: 1, lastError: "x".repeat(500) });
    expect(failed?.runAt).toBeGreaterThanOrEqual(soon() + 1600);
    expect(failed?.runAt).toBeLessThanOrEqual(soon() + 2400);
    handle = async (runtime) => ({ again: runtime.clock.now() + 60_000 });
    world.clock.advance(2400);
    await runJobs(world);
    expect(await jobOf("bad")).toMatchObject({ failures: 0, lastError: null, runAt: soon() + 60_000 });
  });

  it("fails like any other if no code here knows its kind", async () => {
    await want("a", soon(), "payments.of_a_later_version" as JobKind);
    await runJobs(world);
    expect(await jobOf("a")).toMatchObject({ failures: 1, lastError: expect.stringContaining("of_a_later_version") });
  });
});

describe("the runner", () => {
  it("does what comes due until it is stopped, and finishes what it has begun", async () => {
    let finish: (() => void) | undefined;
    handle = (runtime, objectId) =>
      new Promise((resolve) => {
        finish = () => resolve(succeed(runtime, objectId));
      });
    await want("a");
    const stop = startRunner(world.runtime);
    await vi.waitUntil(() => finish !== undefined);
    const stopped = stop();
    await want("b");
    finish?.();
    await stopped;
    expect(done).toEqual(["a"]);
    expect(await jobOf("b")).toMatchObject({ status: "waiting", lease: null });
  });
});
