// Power losses: the server's writes are recorded once, and replayed up to random moments, unsynced ones torn or gone.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { sqlitePath } from "@/db/sqlite";
import { startServer, type TestServer } from "@/e2e/server";
import { afterPowerLoss } from "./crash-states";
import { faultsOfDatabase } from "./database";
import type { Fault } from "./fault";
import { attach, type FileCall, lacksStrace, readRecording, recording } from "./strace";
import { Writes } from "./writes";

const clientCount = 8;
const recordedMs = 4_000;
const files = ["quittance.db", "quittance.db-wal"];

export const wal: Fault = {
  name: "wal",
  title: "power loss: unsynced writes kept, torn or dropped",
  engines: ["sqlite"],
  rounds: 500,
  lacks: lacksStrace,
  async run({ found, rounds, random }) {
    const folder = mkdtempSync(path.join(tmpdir(), "quittance-faults-"));
    const server = await startServer({ engine: "sqlite", env: { WORKER: "apart" } });
    const writes = new Writes(server.url, found, random);
    try {
      const { initial, calls } = await record(server, writes, path.join(folder, "trace"));
      if (calls.length === 0) throw new Error("strace recorded no call.");
      let unsynced = 0;
      for (const _ of rounds) {
        const count = 1 + Math.floor(random() * calls.length);
        const before = calls.slice(0, count);
        const state = path.join(folder, "state");
        mkdirSync(state);
        let isUnsynced = false;
        for (const file of files) {
          const ofFile = before.filter((call) => path.basename(call.file) === file);
          isUnsynced ||= ofFile.at(-1)?.do === "write";
          writeFileSync(path.join(state, file), afterPowerLoss(initial.get(file) ?? Buffer.alloc(0), ofFile, random));
        }
        if (isUnsynced) unsynced++;
        const url = `file:${path.join(state, files[0] ?? "")}`;
        const faults = await faultsOfDatabase(url);
        found.wrong.push(...faults.map((fault) => `after ${count} calls: ${fault}`));
        if (faults.length === 0) await writes.check(url, before.at(-1)?.endedAt ?? 0);
        rmSync(state, { recursive: true });
        found.note = `${calls.length} calls recorded, ${unsynced} states with unsynced writes`;
        // Gives signals a chance to arrive, because the checks never wait for anything.
        await nextTurn();
      }
    } finally {
      await writes.pause();
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  },
};

/** Lets the server write, and returns its files from before and every call that changed or synced them. */
async function record(server: TestServer, writes: Writes, trace: string) {
  const paths = files.map((_, i) => sqlitePath(server.databaseUrl) + (i === 0 ? "" : "-wal"));
  await writes.start(1);
  await writes.pause();
  // By now everything is copied into the file, and nothing is written any more.
  await sleep(3_000);
  const tracer = await attach(server.pid(), recording(trace));
  const initial = new Map<string, Buffer>(
    paths.map((file) => [path.basename(file), existsSync(file) ? readFileSync(file) : Buffer.alloc(0)]),
  );
  writes.resume(clientCount);
  await sleep(recordedMs);
  await writes.pause();
  await tracer.stop();
  const calls: FileCall[] = readRecording(trace, files);
  return { initial, calls };
}
