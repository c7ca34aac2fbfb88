// The matrix of what can happen to a payment request: enough combinations that every pair of values occurs.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { LifeRun, openWorldOfLives } from "@/test/lives/life";
import { choicesOf, coveringPairs, everything, lifeFrom, nonsenseOf, sensible, titleOf } from "@/test/lives/matrix";
import { cells, lifeOfCells, nameOf, someCells } from "@/test/lives/states";
import { expectSoundLedger } from "@/test/money";
import type { World } from "@/test/world";

let world: World;
beforeAll(async () => {
  world = await openWorldOfLives();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

describe("the matrix", () => {
  it("has at least 500 combinations, and a reason for each that it leaves out", () => {
    expect(sensible.length).toBeGreaterThanOrEqual(500);
    const reasons = everything.flatMap((one) => nonsenseOf(one) ?? []);
    expect(sensible.length + reasons.length).toBe(everything.length);
    for (const reason of reasons) expect(reason).not.toBe("");
  });

  it.each(coveringPairs().map((one, i) => [titleOf(one), one, i] as const))("%s", async (_, one, i) => {
    const life = lifeFrom(one);
    const run = await LifeRun.open(world, life, { choose: choicesOf(i) });
    await run.live(life.batches);
  });
});

/** A life takes about three times as long on PostgreSQL. */
const met = dialect === "sqlite" ? cells : someCells;

describe("each operation on a payment request in each state", () => {
  it.each(met.map((one, i) => [nameOf(one), one, i] as const))("%s", async (_, one, i) => {
    const life = lifeOfCells(one);
    const run = await LifeRun.open(world, life, { choose: choicesOf(i) });
    await run.live(life.batches);
  });
});
