// The program behind npm run soak. It runs inside Vitest, with the provider of test/faulty-provider.ts.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { writeCheckpoint } from "@/server/domains/ledger/checkpoint";
import { LifeRun, openWorldOfLives } from "../lives/life";
import { choicesOf, everything, lifeFrom, nonsenseOf, sensible, titleOf } from "../lives/matrix";
import { cells, lifeOfCells, nameOf } from "../lives/states";
import { type Life, lives } from "../lives/steps";
import { expectSoundLedger } from "../money";
import type { World } from "../world";
import { printUnsound, printViolation, say } from "./report";
import { type Part, Tally, timeOf } from "./tally";

/** Lives in one database, and lives between two proofs of its ledger. */
const livesPerWorld = 100;
const livesPerProof = 25;
const progressMs = 30_000;

const {
  SOAK_MINUTES: soakMinutes = "",
  SOAK_FROM: soakFrom = "",
  SOAK_SEED: soakSeed = "",
  SOAK_COMBINATION: soakCombination = "",
} = process.env;

/** Workers share the work: each takes every n-th seed and every n-th combination, beginning with its own number. */
const worker = Number(process.env.SOAK_WORKER);
const workers = Number(process.env.SOAK_WORKERS);

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

/** What the matrix has, by number: the states with their operations, and then the many combinations. */
const matrixSize = sensible.length + cells.length;

function combinationOf(number: number): Play & { title: string } {
  const [met, one] = [cells[number], sensible[number - cells.length]];
  const described = one
    ? { life: lifeFrom(one), title: titleOf(one) }
    : met && { life: lifeOfCells(met), title: nameOf(met) };
  if (!described) throw new Error(`The matrix has combinations 0 to ${matrixSize - 1}.`);
  return { ...described, choose: choicesOf(number), replay: `--combination ${number}`, isFree: false };
}

class Soak {
  private world: World | null = null;
  private played = 0;
  /** How to replay the lives since the last proof. */
  private readonly unproved: string[] = [];
  private readonly parts: Tally[] = [];

  constructor(
    /** Fires when another worker has found a violation. */
    readonly stopping: AbortSignal,
  ) {}

  /** Begins a part of the soak, with its own counts. */
  begin(name: string): Tally {
    const tally = new Tally(`${name} on ${dialect}`);
    this.parts.push(tally);
    return tally;
  }

  get done(): Part[] {
    return this.parts.map(({ part }) => part);
  }

  private async open(): Promise<World> {
    this.world ??= await openWorldOfLives();
    return this.world;
  }

  /** Proves the ledger of the last lives, and removes their database. Returns whether it is sound. */
  async close(): Promise<boolean> {
    const world = this.world;
    this.world = null;
    if (!world) return true;
    try {
      return await this.prove(world);
    } finally {
      await world.close();
    }
  }

  /** Plays a life to its end. Returns whether every invariant held, and prints the one that did not. */
  async play({ life, choose, replay, isFree }: Play, tally: Tally, tell?: (line: string) => void): Promise<boolean> {
    if (this.played % livesPerWorld === 0 && !(await this.close())) return false;
    let run: LifeRun | null = null;
    try {
      const world = await this.open();
      run = await LifeRun.open(world, life, { choose, isFree, say: tell, count: tally.add });
      await run.live(life.batches);
      this.played++;
      this.unproved.push(replay);
      if (this.played % livesPerProof > 0) return true;
      tally.add("proofs of the whole ledger");
      return await this.prove(world);
    } catch (error) {
      printViolation(error, run, replay);
      return false;
    }
  }

  /** Proves the whole ledger. A replay ends with a proof, so it shows which life spoiled it. */
  private async prove(world: World): Promise<boolean> {
    const proved = this.unproved.splice(0);
    try {
      await writeCheckpoint(world.runtime);
      await expectSoundLedger(world);
      return true;
    } catch (error) {
      printUnsound(error, proved);
      return false;
    }
  }
}

async function replay(soak: Soak, play: Play): Promise<boolean> {
  if (play.isFree) say("Concurrent steps run freely in this life: they may not meet as they did before.");
  const isSound = (await soak.play(play, new Tally(play.replay), say)) && (await soak.close());
  if (isSound) say("every invariant held");
  return isSound;
}

/** New lives until the time is up. */
async function randomLives(soak: Soak, seed: number, minutes: number): Promise<boolean> {
  const tally = soak.begin("random lives");
  const until = performance.now() + minutes * 60_000;
  let toldAt = performance.now();
  for (let next = seed + worker; performance.now() < until && !soak.stopping.aborted; next += workers) {
    if (!(await soak.play(lifeOf(next), tally))) {
      say(`found in life ${next - seed + 1} after ${timeOf(tally.part)}`);
      return false;
    }
    tally.add("lives");
    if (performance.now() - toldAt < progressMs) continue;
    toldAt = performance.now();
    say(`worker ${worker + 1}: ${tally.of("lives")} lives, ${tally.of("steps")} steps, ${timeOf(tally.part)}`);
  }
  return true;
}

async function matrix(soak: Soak): Promise<boolean> {
  const tally = soak.begin("the matrix");
  for (let number = worker; number < matrixSize && !soak.stopping.aborted; number += workers) {
    const play = combinationOf(number);
    if (!(await soak.play(play, tally))) {
      say(play.title);
      return false;
    }
    tally.add("combinations");
  }
  if (worker > 0) return true;
  for (const reason of everything.flatMap((one) => nonsenseOf(one) ?? [])) tally.add(`left out: ${reason}`);
  return true;
}

it("soak", async ({ task, signal }) => {
  const soak = new Soak(signal);
  const run = async () => {
    if (soakCombination !== "") return replay(soak, combinationOf(Number(soakCombination)));
    if (soakSeed !== "") return replay(soak, lifeOf(Number(soakSeed)));
    return (await randomLives(soak, Number(soakFrom), Number(soakMinutes))) && (await matrix(soak));
  };
  try {
    const isSound = await run();
    const isClosedSound = await soak.close();
    expect([isSound, isClosedSound]).toEqual([true, true]);
  } finally {
    task.meta.soak = soak.done;
  }
});
