// A network to PostgreSQL that cuts, resets and stalls connections at random, also in the middle of a COMMIT.
import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase, startServer } from "@/e2e/server";
import { openPostgresProxy, type Trouble } from "@/test/postgres-proxy";
import { faultsOfDatabase } from "./database";
import type { Fault } from "./fault";
import { Writes } from "./writes";

const clientCount = 8;
const troubledMs = 1_500;
/** Only at a COMMIT may a cut go unnoticed by PostgreSQL: at any other message it would keep its row locks for 30 s. */
const troubles = {
  commit: ["before", "after", "unnoticed", "reset", "stall"],
  other: ["before", "reset", "stall"],
} as const;

export const proxy: Fault = {
  name: "proxy",
  title: "connections to PostgreSQL cut, reset and stalled",
  engines: ["postgres"],
  rounds: 40,
  async run({ found, rounds, random }) {
    const database = await createDatabase("postgres", "");
    const network = await openPostgresProxy(database.url);
    const counts = new Map<string, number>();
    const decide = (isCommit: boolean): Trouble | null => {
      if (random() > (isCommit ? 0.15 : 0.01)) return null;
      const kinds = isCommit ? troubles.commit : troubles.other;
      const kind = kinds[Math.floor(random() * kinds.length)] ?? "reset";
      const name = isCommit ? `COMMIT ${kind}` : kind;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return kind === "stall" ? { stallMs: 50 + random() * 1_000 } : kind;
    };
    const server = await startServer({ engine: "postgres", databaseUrl: network.url });
    const writes = new Writes(server.url, found, random);
    try {
      await writes.start(clientCount);
      for (const _ of rounds) {
        network.disturb(decide);
        await sleep(troubledMs);
        network.disturb();
        found.recoveryMs.push(await writes.untilWritten());
        await writes.check(database.url, Date.now() - 1);
        found.note = [...counts].map(([name, count]) => `${count} x ${name}`).join(", ");
      }
      await writes.pause();
      await writes.settle();
      await writes.check(database.url);
      found.wrong.push(...(await faultsOfDatabase(database.url)));
    } finally {
      network.disturb();
      await writes.pause();
      await server.stop();
      await network.close();
      await database.drop();
    }
  },
};
