// kill -9 under load: everything acknowledged is there, the file is whole and the ledger sound after each kill.
import { setTimeout as sleep } from "node:timers/promises";
import { runProgram } from "@/e2e/contract/people";
import { PaymentLoad, resolvedAfterMs } from "@/e2e/payment-load";
import { startServer, type TestServer } from "@/e2e/server";
import { faultsOfDatabase } from "./database";
import type { Fault, Found } from "./fault";
import { Writes } from "./writes";

/** Clients that record payments, and clients that have cards charged. */
const clientCount = { writes: 4, cards: 4 };
/** A kill comes at a random moment within this time of load. */
const withinMs = 200;
const doubtsEndWithinMs = 10 * 60_000;

export const kill: Fault = {
  name: "kill",
  title: "`kill -9` under load",
  engines: ["sqlite", "postgres"],
  rounds: 200,
  async run({ engine, found, rounds, random, signal }) {
    const server = await startServer({ engine, env: { ACCESS_TOKEN_TTL: "1d" } });
    const writes = new Writes(server.url, found, random);
    const cards = new PaymentLoad(server.url, random);
    try {
      await writes.start(clientCount.writes);
      await cards.start(clientCount.cards);
      for (const round of rounds) {
        await sleep(50 + random() * withinMs);
        await server.kill("SIGKILL");
        const at = Date.now();
        // Before the next start repairs anything.
        found.wrong.push(...(await faultsOfDatabase(server.databaseUrl)).map((fault) => `kill ${round}: ${fault}`));
        await writes.check(server.databaseUrl, at);
        const startedAt = performance.now();
        await server.restart();
        await writes.untilWritten();
        found.recoveryMs.push(performance.now() - startedAt);
      }
      await Promise.all([writes.pause(), cards.stop()]);
      await writes.settle();
      await writes.check(server.databaseUrl);
      await sleep(resolvedAfterMs, undefined, { signal });
      await untilNothingIsInDoubt(server, signal);
      await checkCards(cards, found);
      await checkAtEnd(server, found);
      found.note = `${cards.acknowledged} acknowledged by card; ${cards.unknown} answers lost on the way`;
    } finally {
      await Promise.all([writes.pause(), cards.stop()]);
      await server.stop();
    }
  },
};

async function checkCards(cards: PaymentLoad, found: Found): Promise<void> {
  await cards.settle();
  found.lost.push(...(await cards.missing()));
  found.wrong.push(...cards.faults);
  found.acknowledged += cards.acknowledged;
}

/** Waits while charges are in doubt: a look-up that was killed several times is retried at growing intervals. */
async function untilNothingIsInDoubt(server: TestServer, signal: AbortSignal): Promise<void> {
  const until = Date.now() + doubtsEndWithinMs;
  while ((await consistencyOf(server)).inDoubt > 0 && Date.now() < until) await sleep(10_000, undefined, { signal });
}

async function consistencyOf(server: TestServer): Promise<{ inDoubt: number; dead: number; wrong: string[] }> {
  const printed = await runProgram(server, "e2e/contract/consistency.ts");
  return JSON.parse(printed.trim().split("\n").at(-1) ?? "");
}

/** Everything in the database must agree with itself and with the sandbox, and nothing may be in doubt. */
async function checkAtEnd(server: TestServer, found: Found): Promise<void> {
  await server.kill("SIGTERM");
  const { inDoubt, dead, wrong } = await consistencyOf(server);
  if (inDoubt > 0) found.wrong.push(`${inDoubt} transactions are still in doubt`);
  if (dead > 0) found.wrong.push(`${dead} jobs are dead`);
  found.wrong.push(...wrong, ...(await faultsOfDatabase(server.databaseUrl)));
}
