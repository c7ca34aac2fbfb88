// A disk that fails: calls that report EIO or ENOSPC. Nothing unsaved is acknowledged, and the server recovers.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer, type TestServer } from "@/e2e/server";
import { faultsOfDatabase } from "./database";
import type { Conditions, Fault } from "./fault";
import { lacksSmallDisk, mountSmallDisk } from "./small-disk";
import { attach, lacksStrace } from "./strace";
import { Writes } from "./writes";

const clientCount = 8;
/** The exit code after an error of the database file; see server/process/stopping.ts. */
const storageFault = 74;
/** How long calls fail. */
const failingMs = 2_000;
/** How long after an error of the database file the process has ended at the latest. */
const endedWithinMs = 12_000;

interface Failing {
  /** The calls that fail, as strace names them. */
  calls: string;
  error: "EIO" | "ENOSPC";
}

const failings: readonly Failing[] = [
  { calls: "fdatasync,fsync", error: "EIO" },
  { calls: "pwrite64", error: "EIO" },
  { calls: "pwrite64", error: "ENOSPC" },
  { calls: "fdatasync,fsync", error: "ENOSPC" },
];

export const disk: Fault = {
  name: "disk",
  title: "a disk that reports `EIO` or `ENOSPC`",
  engines: ["sqlite"],
  rounds: 24,
  lacks: () => (lacksStrace() === null ? null : lacksSmallDisk()),
  run: (conditions) => (lacksStrace() === null ? failCalls(conditions) : fillDisk(conditions)),
};

/** Makes the server's calls fail. */
async function failCalls(conditions: Conditions): Promise<void> {
  const { found, random } = conditions;
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-faults-"));
  const trace = path.join(folder, "trace");
  let failed = 0;
  try {
    const server = await startServer({ engine: "sqlite" });
    await underLoad(server, conditions, async (round) => {
      const failing = failings[round % failings.length] as Failing;
      const inject = `inject=${failing.calls}:error=${failing.error}:when=${1 + Math.floor(random() * 40)}+1`;
      // Only SQLite's files are written with these calls. The server's log lines are written with others.
      const calls = ["-s", "0", "-o", trace, "-e", `trace=${failing.calls}`, "-e", inject];
      const tracer = await attach(server.pid(), calls);
      await Promise.race([server.ended(), sleep(failingMs)]);
      await tracer.stop();
      failed += readFileSync(trace, "latin1").split("(INJECTED)").length - 1;
      return `${failed} calls failed`;
    });
    // If no call failed, the rounds have proved nothing.
    if (failed === 0) found.wrong.push("no call failed");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Fills the small file system that the database is on, as often as strace would have made calls fail. */
async function fillDisk(conditions: Conditions): Promise<void> {
  const smallDisk = mountSmallDisk();
  let refused = 0;
  try {
    const server = await startServer({ engine: "sqlite", dataDir: smallDisk.folder });
    await underLoad(server, conditions, async () => {
      const before = server.logs().length;
      smallDisk.fill();
      await Promise.race([server.ended(), sleep(failingMs)]);
      smallDisk.clear();
      if (/SQLITE_FULL|ENOSPC|disk is full/i.test(server.logs().slice(before))) refused++;
      return `no strace, so a full file system of ${smallDisk.mebibytes} MiB, and no EIO; it was noticed ${refused} times`;
    });
    if (refused === 0) conditions.found.wrong.push("no write met the full disk");
  } finally {
    smallDisk.remove();
  }
}

/** Lets clients write, fails the disk in each round, and restarts the server if that has ended it. */
async function underLoad(
  server: TestServer,
  { found, rounds, random }: Conditions,
  fail: (round: number) => Promise<string>,
): Promise<void> {
  const writes = new Writes(server.url, found, random);
  let exits = 0;
  try {
    await writes.start(clientCount);
    for (const round of rounds) {
      const ending = server.ended();
      const logged = server.logs().length;
      const note = await fail(round);
      const ended = await endOf(ending, () => server.logs().slice(logged));
      if (ended !== null) {
        exits++;
        if (ended !== storageFault) found.wrong.push(`round ${round}: the process ended with ${ended}`);
        found.wrong.push(...(await faultsOfDatabase(server.databaseUrl)));
      }
      const startedAt = performance.now();
      if (ended !== null) await server.restart();
      await writes.untilWritten();
      found.recoveryMs.push(performance.now() - startedAt);
      await writes.check(server.databaseUrl, Date.now() - 1);
      found.note = `${note}; ${exits} times the process ended with ${storageFault}`;
    }
    await writes.pause();
    await writes.settle();
    await writes.check(server.databaseUrl);
    found.wrong.push(...(await faultsOfDatabase(server.databaseUrl)));
  } finally {
    await writes.pause();
    await server.stop();
  }
}

/** The exit code, or null if the process continues. One that ends because of the disk says so first. */
async function endOf(ending: Promise<number | null>, logged: () => string): Promise<number | "killed" | null> {
  const code = ending.then((value) => value ?? "killed");
  const now = await Promise.race([code, sleep(100, null)]);
  if (now !== null || !logged().includes("the process exits and must be restarted")) return now;
  const later = await Promise.race([code, sleep(endedWithinMs, null)]);
  return later ?? -1;
}
