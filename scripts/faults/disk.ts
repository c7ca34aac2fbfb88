// A disk that fails: calls that report EIO or ENOSPC. Nothing unsaved is acknowledged, and the server recovers.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer, type TestServer } from "@/e2e/server";
import { faultsOfDatabase } from "./database";
import { type Fault, type Found, nothingFound } from "./fault";
import { attach, lacksStrace } from "./strace";
import { Writes } from "./writes";

const clientCount = 8;
/** The exit code after an error of the database file; see server/process/stopping.ts. */
const storageFault = 74;

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
  title: "a disk that reports EIO or ENOSPC",
  engines: ["sqlite"],
  rounds: 24,
  lacks: lacksStrace,
  async run({ rounds, random }) {
    const found = nothingFound();
    const server = await startServer({ engine: "sqlite" });
    const writes = new Writes(server.url, random);
    const folder = mkdtempSync(path.join(tmpdir(), "quittance-faults-"));
    const trace = path.join(folder, "trace");
    let exits = 0;
    let failed = 0;
    try {
      await writes.start(clientCount);
      for (let round = 1; round <= rounds; round++) {
        const failing = failings[round % failings.length] as Failing;
        const skipped = 1 + Math.floor(random() * 40);
        const ended = await failFor(server, failing, { skipped, trace });
        failed += readFileSync(trace, "latin1").split("(INJECTED)").length - 1;
        if (ended !== null && ended !== storageFault)
          found.wrong.push(`${failing.error}: the process ended with ${ended}`);
        if (ended !== null) {
          exits++;
          found.wrong.push(...(await faultsOfDatabase(server.databaseUrl)));
        }
        const startedAt = performance.now();
        if (ended !== null) await server.restart();
        await writes.untilWritten();
        found.recoveryMs.push(performance.now() - startedAt);
        await checkAgain(found, writes, server);
        found.rounds = round;
      }
      await writes.pause();
      await writes.settle();
      await checkAgain(found, writes, server);
      found.wrong.push(...writes.wrong, ...(await faultsOfDatabase(server.databaseUrl)));
      found.acknowledged = writes.acknowledged;
      found.note = `${failed} calls failed, ${exits} times the process ended with ${storageFault}`;
      return found;
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  },
};

async function checkAgain(found: Found, writes: Writes, server: TestServer): Promise<void> {
  const { lost, doubled } = await writes.compare(server.databaseUrl, Date.now() - 1);
  found.lost.push(...lost);
  found.doubled.push(...doubled);
}

/** Makes the calls fail for a moment. Resolves to the exit code if the process ended, else to null. */
async function failFor(
  server: TestServer,
  { calls, error }: Failing,
  { skipped, trace }: { skipped: number; trace: string },
): Promise<number | null> {
  const ended = server.ended();
  const inject = `inject=${calls}:error=${error}:when=${skipped}+1`;
  // Nothing but SQLite's files is written with these calls; the log goes through others.
  const tracer = await attach(server.pid(), ["-s", "0", "-o", trace, "-e", `trace=${calls}`, "-e", inject]);
  const first = await Promise.race([ended, sleep(2_000, "running" as const)]);
  await tracer.stop();
  if (first !== "running") return first;
  // An error that ends the process lets running requests finish first.
  const later = await Promise.race([ended, sleep(6_000, "running" as const)]);
  return later === "running" ? null : later;
}
