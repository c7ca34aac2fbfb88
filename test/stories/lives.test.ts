// Random lives of organizations: every invariant holds after each step, whatever payers, merchants and providers do.
import * as fc from "fast-check";
import { afterAll, beforeAll, it } from "vitest";
import { dialect } from "@/db/dialect";
import { LifeRun, openWorldOfLives } from "@/test/lives/life";
import { choicesOf } from "@/test/lives/matrix";
import { type Life, lives, type Terms } from "@/test/lives/steps";
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

const request: Terms = {
  type: "product",
  capture: "automatic",
  amount: 1250,
  lines: "none",
  parts: "none",
  trialDays: undefined,
  livesMs: 20_000,
  draft: false,
  reminds: false,
  uses: "once",
  offer: "fixed",
};

/** What waits is dismissed by several admins at once, in the orders that the choices give. */
const dismissals: Life["batches"][] = [
  [
    [{ do: "wait", ms: 31_000 }],
    [{ do: "askForLink", request: 0 }],
    [
      { do: "dismiss", what: "link", request: 0 },
      { do: "dismiss", what: "link", request: 0 },
    ],
  ],
  [
    [{ do: "pay", request: 0, number: "4242424242424242", times: 1, tab: "new", fault: null, choice: "all", typed: 1 }],
    [{ do: "reportOddly", request: 0, more: 1 }],
    [
      { do: "dismiss", what: "dispute", request: 0 },
      { do: "dismiss", what: "dispute", request: 0 },
    ],
  ],
];

it("an act that was due before the clock moves books nothing where a reader has seen the ledger as final", async () => {
  const unanswered = { do: "pay", request: 0, number: "4000000000000119", code: "998", times: 1, tab: "new" } as const;
  const batches: Life["batches"] = [
    [{ ...unanswered, fault: null, choice: "all", typed: 1 }],
    [{ do: "wait", ms: 31_000 }],
    [{ do: "browse" }],
    [{ do: "moveClock", advance: "PT10S" }],
  ];
  const run = await LifeRun.open(
    world,
    { requests: [{ ...request, livesMs: null }], batches },
    { choose: choicesOf(0) },
  );
  await run.live(batches);
});

it.each([0, 1, 2, 3])(
  "two admins who dismiss the same thing at once agree with the model (order %i)",
  async (order) => {
    for (const batches of dismissals) {
      const run = await LifeRun.open(world, { requests: [request], batches }, { choose: choicesOf(order) });
      await run.live(batches);
    }
  },
);
