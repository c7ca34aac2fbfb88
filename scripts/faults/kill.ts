// kill -9 under write load: everything acknowledged is there, the file is whole and the ledger sound after each kill.
import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "@/e2e/server";
import { faultsOfDatabase } from "./database";
import { type Fault, nothingFound } from "./fault";
import { Writes } from "./writes";

const clientCount = 8;
/** A kill comes at a random moment within this time of load. */
const withinMs = 300;

export const kill: Fault = {
  name: "kill",
  title: "kill -9 under write load",
  engines: ["sqlite", "postgres"],
  rounds: 200,
  async run({ engine, rounds, random, say }) {
    const found = nothingFound();
    const server = await startServer({ engine });
    try {
      const writes = new Writes(server.url, random);
      await writes.start(clientCount);
      for (let round = 1; round <= rounds; round++) {
        await sleep(50 + random() * withinMs);
        await server.kill("SIGKILL");
        const at = Date.now();
        // Before the next start repairs anything.
        found.wrong.push(...(await faultsOfDatabase(server.databaseUrl)).map((fault) => `kill ${round}: ${fault}`));
        const { lost, doubled } = await writes.compare(server.databaseUrl, at);
        found.lost.push(...lost);
        found.doubled.push(...doubled);
        const startedAt = performance.now();
        await server.restart();
        await writes.untilWritten();
        found.recoveryMs.push(performance.now() - startedAt);
        found.rounds = round;
        if (round % 20 === 0) say(`${round} kills, ${writes.acknowledged} acknowledged writes`);
      }
      await writes.pause();
      await writes.settle();
      const { lost, doubled } = await writes.compare(server.databaseUrl);
      found.lost.push(...lost);
      found.doubled.push(...doubled);
      found.wrong.push(...writes.wrong, ...(await faultsOfDatabase(server.databaseUrl)));
      found.acknowledged = writes.acknowledged;
      return found;
    } finally {
      await server.stop();
    }
  },
};
