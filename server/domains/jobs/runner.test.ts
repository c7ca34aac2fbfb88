// The queue: jobs run once they are due, by one worker at a time, and again until they are done or dead.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Tx } from "@/db/client";
import { dialect } from "@/db/dialect";
import { DatabaseUnavailable } from "@/db/errors";
import { jobs } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import { ageJobLeases } from "@/test/job-leases";
import { runJobs } from "@/test/jobs";
import { anotherProcess, openWorld, type TestOrganization, type World } from "@/test/world";
import { healQueue } from "./heal";
import { type JobKind, schedule, unschedule } from "./queue";
import { leaseMs, retryDelayMs } from "./run";
import { type BatchHandler, type Handler, type JobTable, runDueJobs, startRunner } from "./runner";
import { returnJob, takeDue } from "./store";

/** The handler of `payments.lookup` in the current test. */
let handle: Handler;
/** The batch handler of `payments.expire`. */
let handleAll: BatchHandler;
const table: JobTable = {
  handlers: {
    "payments.lookup": (...given: Parameters<Handler>) => handle(...given),
    "payments.expire": (...given: Parameters<Handler>) => handle(...given),
    "subscriptions.run": (...given: Parameters<Handler>) => handle(...given),
  },
  batchHandlers: { "payments.expire": (...given: Parameters<BatchHandler>) => handleAll(...given) },
};

/** Allows for a busy machine. */
const patient = { timeout: 15_000 };

let world: World;
let acme: TestOrganization;
let done: string[];
const succeed: Handler = async (_runtime, objectId) => {
  done.push(objectId);
  return undefined;
};

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
  await world.runtime.db.write(async (tx) => void (await tx.delete(jobs)));
  done = [];
  handle = succeed;
  handleAll = async (_runtime, objectIds) => void done.push(...objectIds);
});
afterAll(() => world.close());

const soon = () => world.clock.now();

const contextOf = (db: Tx) => ({ db, now: soon(), realNow: soon(), id: world.id });

/** Advances the process's and the database's time. */
async function pass(milliseconds: number): Promise<void> {
  world.clock.advance(milliseconds);
  await ageJobLeases(world, milliseconds);
}

async function scheduleJob(objectId: string, dueAt = soon(), kind = "payments.lookup" as JobKind): Promise<void> {
  await world.runtime.db.write((db) => schedule(contextOf(db), { kind, organizationId: acme.id, objectId, dueAt }));
}

async function jobOf(objectId: string) {
  const [row] = await world.runtime.db.read.select().from(jobs).where(eq(jobs.objectId, objectId));
  return row;
}

describe("a job", () => {
  it("exists only if its transaction commits", async () => {
    const undone = world.runtime.db.write(async (db) => {
      const ctx = contextOf(db);
      await schedule(ctx, { kind: "payments.lookup", organizationId: acme.id, objectId: "undone", dueAt: soon() });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await scheduleJob("kept");
    await runJobs(world, table);
    expect(done).toEqual(["kept"]);
    expect(await jobOf("kept")).toBeUndefined();
  });

  it("waits until due, exists once per object, and can be unscheduled", async () => {
    await scheduleJob("a", soon() + 1000);
    await scheduleJob("a", soon() + 2000);
    await scheduleJob("b", soon() + 1000);
    await world.runtime.db.write((db) => unschedule({ db }, "payments.lookup", "b"));
    world.clock.advance(1999);
    await runJobs(world, table);
    expect(done).toEqual([]);
    world.clock.advance(1);
    await runJobs(world, table);
    expect(done).toEqual(["a"]);
  });

  it("runs again at the time that its handler returns", async () => {
    handle = async (runtime, objectId) => {
      done.push(objectId);
      return done.length < 3 ? { again: runtime.clock.now() + 1000 } : undefined;
    };
    await scheduleJob("a");
    for (let count = 1; count <= 3; count++) {
      await runJobs(world, table);
      expect(done).toHaveLength(count);
      world.clock.advance(1000);
    }
    expect(await jobOf("a")).toBeUndefined();
  });

  it("that is rescheduled while it runs is run once more", async () => {
    handle = async (_runtime, objectId) => {
      if (done.push(objectId) === 1) await scheduleJob("a");
      return undefined;
    };
    await scheduleJob("a");
    expect(await runDueJobs(world.runtime, table)).toBe(1);
    expect(await jobOf("a")).toMatchObject({ status: "waiting", lease: null, runAt: soon() });
    await runJobs(world, table);
    expect(done).toEqual(["a", "a"]);
    expect(await jobOf("a")).toBeUndefined();
  });

  it("that is rescheduled while it fails starts with no failures", async () => {
    handle = async () => {
      await scheduleJob("a", soon() + 5);
      throw new Error("The handler failed.");
    };
    await scheduleJob("a");
    await runDueJobs(world.runtime, table);
    expect(await jobOf("a")).toMatchObject({ failures: 0, lastError: null, runAt: soon() + 5 });
  });
});

describe("a worker that dies", () => {
  it("loses its jobs to another after its lease, and can no longer change them", async () => {
    let wake = () => {};
    handle = (_runtime, objectId) =>
      new Promise((resolve) => {
        done.push(`dead ${objectId}`);
        wake = () => resolve(undefined);
      });
    await scheduleJob("a");
    const dead = runDueJobs(world.runtime, table);
    await vi.waitUntil(() => done.length === 1, patient);
    handle = async (runtime, objectId) => {
      done.push(objectId);
      return { again: runtime.clock.now() + 1000 };
    };
    await pass(leaseMs / 2);
    expect(await runDueJobs(world.runtime, table)).toBe(0);
    await pass(leaseMs / 2);
    expect(await runDueJobs(world.runtime, table)).toBe(1);
    expect(done).toEqual(["dead a", "a"]);
    wake();
    await dead;
    expect(await jobOf("a")).toMatchObject({ status: "waiting", lease: null, runAt: soon() + 1000 });
  });

  it("on every run of one job leaves that job dead", async () => {
    await scheduleJob("deadly");
    let tries = 0;
    for (let left = 200; left > 0 && (await jobOf("deadly"))?.status === "waiting"; left--) {
      // Taking a job without running it leaves the same rows as a killed worker.
      const now = world.clock.now();
      const take = { priority: 0, now, lease: `lease ${left}`, leaseMs, limit: 1 };
      const [job] = await world.runtime.db.write((tx) => takeDue(tx, take));
      if (job && job.failures <= limits.jobFailures) tries++;
      else if (job) {
        await world.runtime.db.write((tx) =>
          returnJob(tx, job, { runAt: now, failures: limits.jobFailures, updatedAt: now }),
        );
        await runDueJobs(world.runtime, table);
      }
      await pass(3_600_000);
    }
    expect(tries).toBe(limits.jobFailures);
    expect(done).toEqual([]);
    expect(await jobOf("deadly")).toMatchObject({ status: "dead", lastError: expect.stringContaining("died") });
  });
});

describe("a job that takes longer than its lease", () => {
  it("stays with its worker", { timeout: 40_000 }, async () => {
    let finish = () => {};
    handle = (_runtime, objectId) =>
      new Promise((resolve) => {
        done.push(objectId);
        finish = () => resolve(undefined);
      });
    await scheduleJob("long");
    const running = runDueJobs(world.runtime, table);
    await vi.waitUntil(() => done.length === 1, patient);
    const leaseEnds = async () => (await jobOf("long"))?.leaseEndsAt ?? 0;
    await pass(leaseMs - 1_000);
    const first = await leaseEnds();
    await vi.waitUntil(async () => (await leaseEnds()) > first, patient);
    await pass(1_000);
    expect(await runDueJobs(world.runtime, table)).toBe(0);
    finish();
    await running;
    expect(done).toEqual(["long"]);
    expect(await jobOf("long")).toBeUndefined();
  });

  it("is signaled once another worker has taken it", { timeout: 40_000 }, async () => {
    handle = (_runtime, objectId, signal) =>
      new Promise((resolve) => {
        done.push(objectId);
        signal.addEventListener("abort", () => resolve(undefined));
      });
    await scheduleJob("lost");
    const running = runDueJobs(world.runtime, table);
    await vi.waitUntil(() => done.length === 1, patient);
    await scheduleJob("lost", soon() + 60_000);
    await running;
    expect(await jobOf("lost")).toMatchObject({ status: "waiting", lease: null });
  });
});

describe("bulk jobs", () => {
  const scheduleMany = (count: number, kind: JobKind = "payments.expire") =>
    world.runtime.db.write(async (db) => {
      const ctx = contextOf(db);
      for (let i = 0; i < count; i++) {
        const objectId = `bulk ${String(i).padStart(3, "0")}`;
        await schedule(ctx, { kind, organizationId: acme.id, objectId, dueAt: soon() - 1000 });
      }
    });

  it("do not delay a job that somebody waits for", async () => {
    await scheduleMany(500);
    await scheduleJob("urgent");
    await runDueJobs(world.runtime, table);
    expect(done).toContain("urgent");
    expect(done.length).toBeLessThan(100);
  });

  it("are not delayed by renewals, nor is a job that somebody waits for", async () => {
    await scheduleMany(500, "subscriptions.run");
    await scheduleJob("expiry", soon(), "payments.expire");
    await scheduleJob("urgent");
    await runDueJobs(world.runtime, table);
    expect(done).toEqual(expect.arrayContaining(["urgent", "expiry"]));
    expect(done.length).toBe(2 + limits.jobsAtOnce.subscriptions);
  });

  it("continue while other jobs wait for a silent provider", { timeout: 40_000 }, async () => {
    const ends: (() => void)[] = [];
    handle = () => new Promise((resolve) => ends.push(() => resolve(undefined)));
    for (let i = 0; i < 30; i++) await scheduleJob(`silent ${i}`);
    const stop = startRunner(world.runtime, table);
    await vi.waitUntil(() => ends.length === 16, patient);
    await scheduleMany(100);
    await vi.waitUntil(() => done.length === 100, patient);
    expect(ends).toHaveLength(16);
    const stopped = stop();
    for (const end of ends) end();
    await stopped;
  });

  it("share transactions, and one that fails affects no other", async () => {
    const batches: number[] = [];
    handleAll = async (_runtime, objectIds) => {
      batches.push(objectIds.length);
      if (objectIds.includes("bulk 007")) throw new Error("One of them failed.");
      done.push(...objectIds);
    };
    handle = async (...given) => {
      if (given[1] === "bulk 007") throw new Error("The handler failed.");
      return succeed(...given);
    };
    await scheduleMany(40);
    await runDueJobs(world.runtime, table);
    expect(batches).toEqual([20, 20]);
    expect(new Set(done).size).toBe(39);
    expect(await jobOf("bulk 007")).toMatchObject({ failures: 1, lastError: "The handler failed." });
    expect(await world.runtime.db.read.$count(jobs)).toBe(1);
  });
});

describe("an outage of our own database", () => {
  it("does not count as a failure of the job", async () => {
    handle = async () => {
      throw new DatabaseUnavailable(new Error("gone"));
    };
    await scheduleJob("a");
    for (let i = 0; i < limits.jobFailures + 5; i++) {
      expect(await runDueJobs(world.runtime, table)).toBe(1);
      expect(await jobOf("a")).toMatchObject({ status: "waiting", failures: 0, lastError: null });
      world.clock.advance(5_000);
    }
  });
});

describe("a job whose own statement always takes too long", () => {
  it("is dead after as many tries as any other", async () => {
    handle = async () => {
      throw new DatabaseUnavailable(Object.assign(new Error("canceling statement"), { code: "57014" }));
    };
    await scheduleJob("slow");
    for (let tries = 1; tries <= limits.jobFailures; tries++) {
      expect(await runDueJobs(world.runtime, table)).toBe(1);
      expect(await jobOf("slow")).toMatchObject({ failures: tries, lastError: "DatabaseUnavailable 57014" });
      await pass(4_320_000);
    }
    expect(await jobOf("slow")).toMatchObject({ status: "dead" });
    expect(await runDueJobs(world.runtime, table)).toBe(0);
  });
});

describe("two workers whose clocks differ", () => {
  it.each([-3_600_000, -60_000, 60_000, 3_600_000])(
    "by %i ms do not take each other's jobs, except from a dead worker",
    async (difference) => {
      const [first, second] = [0, difference].map((ahead) => ({ now: () => Date.now() + ahead }));
      const one = await anotherProcess(world, { clock: first });
      const two = await anotherProcess(world, { clock: second });
      let finish = () => {};
      handle = (_runtime, objectId) =>
        new Promise((resolve) => {
          done.push(objectId);
          finish = () => resolve(undefined);
        });
      await scheduleJob("a", 0);
      const running = runDueJobs(two.runtime, table);
      await vi.waitUntil(() => done.length === 1, patient);
      await healQueue(one.runtime);
      expect(await runDueJobs(one.runtime, table)).toBe(0);
      // Time advances by every clock.
      await world.runtime.db.write(async (tx) => void (await tx.update(jobs).set({ runAt: 0 })));
      expect(await runDueJobs(one.runtime, table)).toBe(0);
      await ageJobLeases(world, leaseMs);
      handle = succeed;
      expect(await runDueJobs(one.runtime, table)).toBe(1);
      finish();
      await running;
      expect(done).toEqual(["a", "a"]);
      await one.close();
      await two.close();
    },
  );
});

describe("jobs of a process with a fast clock", () => {
  it("are moved back to their proper time when a process starts", async () => {
    const ahead = await anotherProcess(world, { clock: { now: () => Date.now() + 3_600_000 } });
    const behind = await anotherProcess(world, { clock: { now: () => Date.now() - 3_600_000 } });
    const rightly = Date.now();
    const right = { runtime: { ...world.runtime, clock: { now: () => rightly } } };
    const scheduleAt = async ({ runtime: { clock, db } }: Pick<World, "runtime">, objectId: string, delay: number) => {
      const wanted = { kind: "payments.lookup", organizationId: acme.id, objectId } as const;
      const now = clock.now();
      await db.write((tx) => schedule({ db: tx, now, realNow: now, id: world.id }, { ...wanted, dueAt: now + delay }));
    };
    handle = async () => {
      throw new Error("The handler failed.");
    };
    await scheduleAt(ahead, "bad", 0);
    await runDueJobs(ahead.runtime, table);
    await scheduleAt(ahead, "later", 30_000);
    await scheduleAt(right, "right", 5_000);
    await healQueue(behind.runtime);
    const now = Date.now();
    const dueIn = async (objectId: string) => ((await jobOf(objectId))?.runAt ?? 0) - now;
    expect(Math.abs((await dueIn("later")) - 30_000)).toBeLessThan(10_000);
    expect(await dueIn("bad")).toBeLessThan(10_000);
    expect((await jobOf("right"))?.runAt).toBe(rightly + 5_000);
    await ahead.close();
    await behind.close();
  });
});

describe("two workers", () => {
  it("share the jobs: each runs on one of them", async () => {
    // SQLite has one process; two workers on PostgreSQL have separate connections.
    const second = dialect === "postgres" ? await anotherProcess(world) : null;
    const wanted = Array.from({ length: 100 }, (_, i) => `job ${String(i).padStart(3, "0")}`);
    for (const objectId of wanted) await scheduleJob(objectId);
    await Promise.all([
      runJobs(world, table),
      runJobs(second ?? world, table),
      runJobs(world, table),
      runJobs(second ?? world, table),
    ]);
    await runJobs(world, table);
    expect(done.sort()).toEqual(wanted);
    await second?.close();
  });
});

describe("a job that fails", () => {
  it("is retried with growing delays, plus or minus 20 %", () => {
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

  it("keeps its error, does not affect others, and resets its failures on success", async () => {
    handle = async (...given) => {
      if (given[1] === "bad") throw new Error("x".repeat(600));
      return succeed(...given);
    };
    await scheduleJob("bad");
    await scheduleJob("good");
    await runJobs(world, table);
    expect(done).toEqual(["good"]);
    const failed = await jobOf("bad");
    expect(failed).toMatchObject({ status: "waiting", lease: null, failures: 1, lastError: "x".repeat(500) });
    expect(failed?.runAt).toBeGreaterThanOrEqual(soon() + 1600);
    expect(failed?.runAt).toBeLessThanOrEqual(soon() + 2400);
    handle = async (runtime) => ({ again: runtime.clock.now() + 60_000 });
    world.clock.advance(2400);
    await runJobs(world, table);
    expect(await jobOf("bad")).toMatchObject({ failures: 0, lastError: null, runAt: soon() + 60_000 });
  });

  it("fails like any other if its kind is unknown", async () => {
    await scheduleJob("a", soon(), "payments.of_a_later_version" as JobKind);
    await runJobs(world, table);
    expect(await jobOf("a")).toMatchObject({ failures: 1, lastError: expect.stringContaining("of_a_later_version") });
  });
});

describe("the runner", () => {
  it("runs due jobs until it is stopped, and finishes running ones", async () => {
    let finish: (() => void) | undefined;
    handle = (...given) =>
      new Promise((resolve) => {
        finish = () => resolve(succeed(...given));
      });
    await scheduleJob("a");
    const stop = startRunner(world.runtime, table);
    await vi.waitUntil(() => finish !== undefined, patient);
    const stopped = stop();
    await scheduleJob("b");
    finish?.();
    await stopped;
    expect(done).toEqual(["a"]);
    expect(await jobOf("b")).toMatchObject({ status: "waiting", lease: null });
  });
});
