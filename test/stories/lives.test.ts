// Random lives of organizations: every invariant holds after each step, whatever payers, merchants and providers do.
import * as fc from "fast-check";
import { afterAll, beforeAll, it } from "vitest";
import { dialect } from "@/db/dialect";
import { LifeRun, openWorldOfLives } from "@/test/lives/life";
import { lives } from "@/test/lives/steps";
import { expectSoundLedger } from "@/test/money";
import type { World } from "@/test/world";

/** A life takes about three times as long on PostgreSQL. */
const numRuns = dialect === "sqlite" ? 180 : 60;

let world: World;
beforeAll(async () => {
  world = await openWorldOfLives();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

it("random lives keep every invariant after each step, and agree with the provider in the end", async () => {
  await fc.assert(
    fc.asyncProperty(lives, fc.infiniteStream(fc.nat()), async (life, choices) => {
      const run = await LifeRun.open(world, life, { choose: () => choices.next().value ?? 0 });
      await run.live(life.batches);
    }),
    { numRuns },
  );
}, 600_000);
