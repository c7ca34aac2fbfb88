// The program behind npm run soak. It runs inside Vitest, which replaces the provider's module by one with faults.
import { randomInt } from "node:crypto";
import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { dialect } from "@/db/dialect";
import { writeCheckpoint } from "@/server/domains/ledger/checkpoint";
import { LifeRun } from "../lives/life";
import { everything, lifeFrom, nonsenseOf, sensible, titleOf } from "../lives/matrix";
import { type Life, lives } from "../lives/steps";
import { expectSoundLedger } from "../money";
import { openWorld, type World } from "../world";
import { printViolation, say, Tally } from "./report";

vi.mock("@/server/domains/providers/sandbox", async (original) => {
  const { withFaults } = await import("@/test/provider-faults");
  return withFaults(await original());
});
vi.mock("@/server/domains/providers/in-time", async (original) => {
  const { withShortTimeouts } = await import("@/test/provider-faults");
  return withShortTimeouts(await original());
});

/** Lives in one database, and lives between two proofs of its ledger. */
const livesPerWorld = 100;
const livesPerProof = 10;
const progressMs = 30_000;

const {
  SOAK_MINUTES: soakMinutes = "",
  SOAK_FROM: soakFrom = "",
  SOAK_SEED: soakSeed = "",
  SOAK_COMBINATION: soakCombination = "",
} = process.env;

/** What is played: a life and its choices, and the option that replays it. */
interface Play {
  life: Life;
  choose(): number;
  replay: string;
  /** Concurrent steps run freely and meet in PostgreSQL itself. */
  isFree: boolean;
}

/** The life of a seed. On PostgreSQL every fourth runs with real concurrency. */
function lifeOf(seed: number): Play {
  const [drawn] = fc.sample(fc.tuple(lives, fc.infiniteStream(fc.nat())), { seed, numRuns: 1 });
  if (!drawn) throw new Error("No life was drawn.");
  const [life, choices] = drawn;
  const isFree = dialect === "postgres" && seed % 4 === 0;
  return { life, choose: () => choices.next().value ?? 0, replay: `--seed ${seed}`, isFree };
}

function combinationOf(number: number): Play {
  const one = sensible[number];
  if (!one) throw new Error(`The matrix has combinations 0 to ${sensible.length - 1}.`);
  return { life: lifeFrom(one), choose: () => 0, replay: `--combination ${number}`, isFree: false };
}

class Soak {
  private world: World | null = null;
  private played = 0;

  private async open(): Promise<World> {
    if (this.played % livesPerWorld === 0) await this.close();
    this.world ??= await openWorld({ PAY_FAILURES_PER_IP: "100000", PAY_FAILURES_PER_LINK: "100000" });
    return this.world;
  }

  async close(): Promise<void> {
    await this.world?.close();
    this.world = null;
  }

  /** Plays a life to its end. Returns whether every invariant held, and prints the one that did not. */
  async play({ life, choose, replay, isFree }: Play, tally: Tally, tell?: (line: string) => void): Promise<boolean> {
    const world = await this.open();
    let run: LifeRun | null = null;
    try {
      run = await LifeRun.open(world, life, { choose, isFree, say: tell, count: tally.add });
      await run.live(life.batches);
      if (this.played++ % livesPerProof === 0) await this.prove(world, tally);
      return true;
    } catch (error) {
      printViolation(error, run, replay);
      return false;
    }
  }

  private async prove(world: World, tally: Tally): Promise<void> {
    await writeCheckpoint(world.runtime);
    await expectSoundLedger(world);
    tally.add("proofs of the whole ledger");
  }
}

async function replay(soak: Soak, play: Play): Promise<boolean> {
  if (play.isFree) say("Concurrent steps run freely in this life: they may not meet as they did before.");
  const isSound = await soak.play(play, new Tally(), say);
  if (isSound) say("every invariant held");
  return isSound;
}

/** New lives until the time is up. */
async function randomLives(soak: Soak, seed: number, minutes: number): Promise<boolean> {
  const tally = new Tally();
  const until = performance.now() + minutes * 60_000;
  let toldAt = performance.now();
  for (let next = seed; performance.now() < until; next++) {
    if (!(await soak.play(lifeOf(next), tally))) {
      say(`found after ${next - seed + 1} lives and ${tally.time}`);
      return false;
    }
    tally.add("lives");
    if (performance.now() - toldAt < progressMs) continue;
    toldAt = performance.now();
    say(`${tally.of("lives")} lives, ${tally.of("steps")} steps, ${tally.time}`);
  }
  say(`\nrandom lives on ${dialect}, ${tally.time}`);
  tally.print();
  return true;
}

async function matrix(soak: Soak): Promise<boolean> {
  const tally = new Tally();
  for (const [number, one] of sensible.entries()) {
    if (!(await soak.play(combinationOf(number), tally))) {
      say(titleOf(one));
      return false;
    }
  }
  say(`\nthe matrix on ${dialect}: ${sensible.length} combinations, ${tally.time}`);
  for (const reason of everything.flatMap((one) => nonsenseOf(one) ?? [])) tally.add(`left out: ${reason}`);
  tally.print();
  return true;
}

it("soak", async () => {
  const soak = new Soak();
  const run = async () => {
    if (soakCombination !== "") return replay(soak, combinationOf(Number(soakCombination)));
    if (soakSeed !== "") return replay(soak, lifeOf(Number(soakSeed)));
    const seed = soakFrom === "" ? randomInt(2 ** 30) : Number(soakFrom);
    say(`seed ${seed}, ${soakMinutes} minutes on ${dialect}`);
    return (await randomLives(soak, seed, Number(soakMinutes))) && (await matrix(soak));
  };
  try {
    expect(await run()).toBe(true);
  } finally {
    await soak.close();
  }
});
