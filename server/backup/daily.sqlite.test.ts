// The daily backup: one job, in a process of its own, that goes on after failures and keeps the newest backups.
import { type SpawnOptions, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { databaseFile } from "@/db/sqlite";
import { jobs } from "@/db/tables";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { runJobsOnce } from "@/test/jobs";
import { openWorld, type World } from "@/test/world";
import { dailyBackup, planDailyBackup } from "./daily";
import { databaseIdOf } from "./database-id";
import { nameOf } from "./files";

/** At a lower priority the process might wait long for the other tests. */
vi.mock("node:os", async (original) => ({ ...(await original<typeof import("node:os")>()), setPriority: vi.fn() }));

/** Replaced where a test needs a process that cannot be ended. */
vi.mock("node:child_process", async (original) => {
  const real = await original<typeof import("node:child_process")>();
  return { ...real, spawn: vi.fn(real.spawn) };
});

/** The job starts a process that compiles everything from its sources. */
const timeout = 120_000;

let world: World;
let folder: string;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "quittance-daily-"));
  await world.runtime.db.write(async (tx) => void (await tx.delete(jobs)));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The world's runtime with these settings, and what it logs. */
function configured(backupDir: string | null, backupKeep = 7) {
  const [error, warn] = [vi.fn(), vi.fn()];
  const log = Object.assign(Object.create(world.runtime.log), { error, warn });
  const runtime: Runtime = {
    ...world.runtime,
    log,
    env: { ...world.runtime.env, dataDir: folder, backupDir, backupKeep },
  };
  return { runtime, error, warn };
}

const id = () => databaseIdOf(databaseFile(world.database.url));
const planned = () => world.runtime.db.read.select().from(jobs);
const never = new AbortController().signal;

describe("planning", () => {
  it("plans nothing without BACKUP_DIR", async () => {
    await planDailyBackup(configured(null).runtime);
    expect(await planned()).toEqual([]);
  });

  it("plans one backup at once, without a look at the folder, whose disk may hang", async () => {
    const { runtime } = configured(folder);
    writeFileSync(path.join(folder, nameOf("daily", world.clock.now(), id())), "");
    await planDailyBackup(runtime);
    world.clock.advance(1);
    await planDailyBackup(runtime);
    const runAt = world.clock.now() - 1;
    expect(await planned()).toMatchObject([{ kind: "database.backup", status: "waiting", runAt }]);
  });

  it("plans it again a day after the job has died", async () => {
    const { runtime } = configured(folder);
    await planDailyBackup(runtime);
    const died = { status: "dead", failures: limits.jobFailures, updatedAt: world.clock.now() } as const;
    await runtime.db.write(async (tx) => void (await tx.update(jobs).set(died)));
    world.clock.advance(dayMs - 1);
    await planDailyBackup(runtime);
    expect(await planned()).toMatchObject([{ status: "dead" }]);
    world.clock.advance(1);
    await planDailyBackup(runtime);
    expect(await planned()).toMatchObject([{ status: "waiting", failures: 0, runAt: world.clock.now() }]);
  });
});

it(
  "makes a backup, keeps BACKUP_KEEP of them, and runs again a day later",
  async () => {
    const old = [1, 2, 3].map((day) => nameOf("daily", Date.UTC(2025, 0, day), id()));
    for (const name of old) writeFileSync(path.join(folder, name), "");
    const { runtime, error } = configured(folder, 2);
    await planDailyBackup(runtime);
    expect(await runJobsOnce({ runtime })).toBe(1);
    expect(error).not.toHaveBeenCalled();
    const left = readdirSync(folder).filter((name) => name.endsWith(".db"));
    expect(left).toHaveLength(2);
    expect(left[0]).toBe(old[2]);
    expect(await planned()).toMatchObject([{ status: "waiting", failures: 0, runAt: world.clock.now() + dayMs }]);
    expect(setPriority).toHaveBeenCalledWith(expect.any(Number), constants.priority.PRIORITY_BELOW_NORMAL);
  },
  timeout,
);

it(
  "counts a backup as made even if an old one cannot be removed, and says so in the log",
  async () => {
    mkdirSync(path.join(folder, nameOf("daily", Date.UTC(2025, 0, 1), id())));
    const { runtime, error, warn } = configured(folder, 1);
    expect(await dailyBackup(runtime, "database", never, null)).toEqual({ again: world.clock.now() + dayMs });
    expect(error).not.toHaveBeenCalled();
    const details = { output: expect.stringContaining("Not removed: quittance-daily-20250101T000000Z-") };
    expect(warn).toHaveBeenCalledWith(details, "the daily backup was made, but old ones were not removed");
  },
  timeout,
);

it(
  "logs a failure, tries again after an hour, and removes nothing",
  async () => {
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    const { runtime, error } = configured(file);
    expect(await dailyBackup(runtime, "database", never, null)).toEqual({ again: world.clock.now() + hourMs });
    const details = expect.objectContaining({ code: 1, output: expect.stringContaining("it is not a folder") });
    expect(error).toHaveBeenCalledWith(details, "the daily backup failed");
  },
  timeout,
);

it("stops when the job is no longer this worker's", async () => {
  mkdirSync(path.join(folder, "backups"));
  const { runtime, error } = configured(path.join(folder, "backups"));
  expect(await dailyBackup(runtime, "database", AbortSignal.abort(), null)).toEqual({ again: world.clock.now() });
  expect(error).not.toHaveBeenCalled();
  expect(readdirSync(path.join(folder, "backups"))).toEqual([]);
});

describe("a process that waits for a disk that hangs, and so cannot be ended,", () => {
  /** The shell is killed, but what it started keeps its pipes open, as a process in an uninterruptible wait does. */
  beforeEach(async () => {
    const real = await vi.importActual<typeof import("node:child_process")>("node:child_process");
    const hang = (_program: string, _args: readonly string[], options: SpawnOptions) =>
      real.spawn("sh", ["-c", `sleep 30 & echo > '${folder}/hangs'; wait`], options);
    vi.mocked(spawn).mockImplementationOnce(hang as typeof spawn);
  });
  const hangs = () => vi.waitFor(() => expect(existsSync(path.join(folder, "hangs"))).toBe(true));

  it("does not keep the server from stopping", async () => {
    const { runtime, error } = configured(folder);
    const stopping = new AbortController();
    const stopped = dailyBackup(runtime, "database", stopping.signal, null);
    await hangs();
    stopping.abort();
    expect(await stopped).toEqual({ again: world.clock.now() });
    expect(error).not.toHaveBeenCalled();
  }, 10_000);

  it("is given up after some hours, and the log says so", async () => {
    const late = new AbortController();
    vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(late.signal);
    const { runtime, error } = configured(folder);
    const ended = dailyBackup(runtime, "database", never, null);
    await hangs();
    late.abort();
    expect(await ended).toEqual({ again: world.clock.now() + hourMs });
    const details = { code: null, output: "It was ended because it took longer than 6 hours." };
    expect(error).toHaveBeenCalledWith(details, "the daily backup failed");
  }, 10_000);
});
