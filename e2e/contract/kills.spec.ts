// Card payments while the server is killed repeatedly: no acknowledged effect is lost, and every outcome becomes known.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "../fixtures";
import { PaymentLoad, resolvedAfterMs } from "../payment-load";
import { startServer } from "../server";
import { runProgram } from "./people";

const clientCount = 6;
const killCount = 3;
/** Number of acknowledged effects between two kills. */
const answersBetween = 30;

test("three kills lose no acknowledged payment, capture, cancellation or refund", async ({ engine }, testInfo) => {
  test.setTimeout(240_000);
  const server = await startServer({ engine });
  try {
    const load = new PaymentLoad(server.url);
    await load.start(clientCount);
    for (let kill = 0; kill < killCount; kill++) {
      const next = load.acknowledged + answersBetween;
      while (load.acknowledged < next) await sleep(10);
      await sleep(Math.random() * 200);
      await server.kill("SIGKILL");
      await server.restart();
    }
    await load.stop();
    await sleep(resolvedAfterMs);
    await load.settle();
    await sleep(1_000);
    expect(await load.missing()).toEqual([]);
    expect(load.faults).toEqual([]);
    await server.kill("SIGTERM");
    const found = JSON.parse((await runProgram(server, "e2e/contract/consistency.ts")).trim().split("\n").at(-1) ?? "");
    testInfo.annotations.push({
      type: "counts",
      description: JSON.stringify({
        kills: killCount,
        acknowledged: load.acknowledged,
        unknown: load.unknown,
        ...found,
      }),
    });
    expect(found).toMatchObject({ inDoubt: 0, dead: 0, wrong: [] });
    // The run exercised enough to be meaningful.
    expect(load.acknowledged).toBeGreaterThan(killCount * answersBetween);
    expect(load.unknown).toBeGreaterThan(0);
    expect(await runProgram(server, "server/domains/ledger/verify-cli.ts")).toContain("The ledger is sound");
  } finally {
    await server.stop();
  }
});
