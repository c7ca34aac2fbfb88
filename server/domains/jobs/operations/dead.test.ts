// Dead jobs: left alone, visible to their organization's admins only, and retried on demand.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { jobs, organizations } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { apiKey } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { schedule } from "../queue";
import { type Handler, type JobTable, runDueJobs } from "../runner";
import { deadJobs, retryAllJobs, retryJob } from "./dead";

/** The handler of `payments.lookup` in the current test. */
let handle: Handler;
const table: JobTable = {
  handlers: { "payments.lookup": (...given) => handle(...given) },
  batchHandlers: {},
};

let world: World;
let acme: TestOrganization;
let done: string[];
const succeed: Handler = async (_runtime, objectId) => {
  done.push(objectId);
  return undefined;
};
const fail: Handler = async () => {
  throw new Error("The handler failed.");
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

async function scheduleJob(objectId: string): Promise<void> {
  const wanted = { kind: "payments.lookup", organizationId: acme.id, objectId, afterMs: 0 } as const;
  await world.runtime.db.write((db) => schedule({ db, now: soon(), realNow: soon(), id: world.id }, wanted));
}

async function jobOf(objectId: string) {
  const [row] = await world.runtime.db.read.select().from(jobs).where(eq(jobs.objectId, objectId));
  return row;
}

describe("a dead job", () => {
  /** Creates a job that always fails, and returns how often it was tried. */
  async function dead(objectId: string): Promise<number> {
    handle = fail;
    await scheduleJob(objectId);
    let tries = 0;
    while ((await jobOf(objectId))?.status === "waiting") {
      tries += await runDueJobs(world.runtime, table);
      world.clock.advance(4_320_000);
    }
    handle = succeed;
    return tries;
  }

  it("is left alone after its last try and shown only to the organization's admins", async () => {
    const createdAt = new Date(soon()).toISOString();
    expect(await dead("a")).toBe(limits.jobFailures);
    const diedAt = new Date(soon() - 4_320_000).toISOString();
    world.clock.advance(86_400_000);
    expect(await runDueJobs(world.runtime, table)).toBe(0);
    const page = await world.call(deadJobs, acme.admin.actor, { include_total: true });
    expect(page).toMatchObject({ has_more: false, total_count: 1 });
    expect(page.data).toEqual([
      {
        job_id: (await jobOf("a"))?.id,
        kind: "payments.lookup",
        object_id: "a",
        failures: limits.jobFailures,
        last_error: "The handler failed.",
        created_at: createdAt,
        died_at: diedAt,
      },
    ]);
    const stranger = await world.organization();
    expect((await world.call(deadJobs, stranger.admin.actor, {})).data).toEqual([]);
    expect(await refusalOf(world.call(deadJobs, acme.member.actor, {}))).toBe("insufficient_permissions");
  });

  it("is listed in pages, latest first", async () => {
    for (const objectId of ["first", "second", "third"]) await dead(objectId);
    const { data, next_cursor } = await world.call(deadJobs, acme.admin.actor, { limit: 2 });
    expect(data.map((one) => one.object_id)).toEqual(["third", "second"]);
    const rest = await world.call(deadJobs, acme.admin.actor, { limit: 2, cursor: next_cursor ?? "" });
    expect(rest.data.map((one) => one.object_id)).toEqual(["first"]);
  });

  it("is retried when an admin of its organization asks", async () => {
    await dead("a");
    const job_id = (await jobOf("a"))?.id ?? "";
    const stranger = await world.organization();
    expect(await refusalOf(world.call(retryJob, stranger.admin.actor, { job_id }))).toBe("job_not_found");
    expect(await refusalOf(world.call(retryJob, acme.member.actor, { job_id }))).toBe("insufficient_permissions");
    const key = await apiKey(world, acme.id, ["transactions:write"]);
    await expect(world.call(retryJob, key.actor, { job_id })).rejects.toThrow();
    await runJobs(world, table);
    expect(done).toEqual([]);
    await world.call(retryJob, acme.admin.actor, { job_id });
    expect(await refusalOf(world.call(retryJob, acme.admin.actor, { job_id }))).toBe("job_not_found");
    await runJobs(world, table);
    expect(done).toEqual(["a"]);
    expect((await world.call(deadJobs, acme.admin.actor, {})).data).toEqual([]);
  });

  it("is retried with all others of its organization, and none of another's", async () => {
    for (const objectId of ["a", "b", "c"]) await dead(objectId);
    const stranger = await world.organization();
    expect(await world.call(retryAllJobs, stranger.admin.actor, {})).toEqual({ count: 0, has_more: false });
    expect(await refusalOf(world.call(retryAllJobs, acme.member.actor, {}))).toBe("insufficient_permissions");
    await runJobs(world, table);
    expect(done).toEqual([]);
    expect(await world.call(retryAllJobs, acme.admin.actor, {})).toEqual({ count: 3, has_more: false });
    await runJobs(world, table);
    expect(done.sort()).toEqual(["a", "b", "c"]);
    expect((await world.call(deadJobs, acme.admin.actor, {})).data).toEqual([]);
  });

  it("shows no statement or value from a library's error", async () => {
    await dead("a");
    await scheduleJob("b");
    handle = async (runtime) => {
      await runtime.db.write(async (tx) => {
        await tx.insert(organizations).values({ id: acme.id, name: "secret value", mode: "sandbox", createdAt: 1 });
      });
      return undefined;
    };
    await runJobs(world, table);
    const reason = (await jobOf("b"))?.lastError ?? "";
    expect(reason).toMatch(/^[A-Za-z]*Error (23505|SQLITE_CONSTRAINT_PRIMARYKEY)$/);
  });

  it("runs again once it is scheduled again", async () => {
    await dead("a");
    await scheduleJob("a");
    await runJobs(world, table);
    expect(done).toEqual(["a"]);
    expect(await jobOf("a")).toBeUndefined();
  });
});
