// The ledger's invariants under random commands, sequential and concurrent, on one database.
import { eq } from "drizzle-orm";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { journals, ledgerAccounts } from "@/db/tables";
import { openLedger, Refused, type TestLedger } from "@/test/ledger";
import { type Command, command, currencies, Desk } from "@/test/money-commands";
import { openWorld, type World } from "@/test/world";
import { writeCheckpoint } from "./checkpoint";
import { verifyLedger } from "./verify";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const read = () => world.runtime.db.read;

async function openDesk() {
  const ledger = await openLedger(world);
  return { ledger, desk: new Desk(ledger) };
}

/** Runs a command; false if it was refused. Any other failure fails the test. */
async function attempt(desk: Desk, one: Command): Promise<boolean> {
  try {
    await desk.run(one);
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

const headsOf = ({ organizationId }: TestLedger) =>
  read()
    .select()
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.organizationId, organizationId))
    .orderBy(ledgerAccounts.id);
const journalCount = ({ organizationId }: TestLedger) =>
  read().$count(journals, eq(journals.organizationId, organizationId));

/** Checks the invariants of the postings, and that rows and postings agree. */
async function expectSound(ledger: TestLedger): Promise<void> {
  const heads = await headsOf(ledger);
  expect(new Map(heads.map((head) => [head.id, head.balance]))).toEqual(ledger.expected);
  for (const { accountId, name, balance, id } of heads) {
    if (accountId !== null) expect(balance, id).toBeGreaterThanOrEqual(0);
    expect(Number.isSafeInteger(balance), name).toBe(true);
  }
  for (const currency of currencies) {
    const sum = (names: RegExp) =>
      heads.reduce(
        (total, head) => (head.currency === currency && names.test(head.name) ? total + head.balance : total),
        0,
      );
    const assets = sum(/^(bank|provider:)/);
    expect(assets).toBe(sum(/^(available|refund_pending|suspense:adjust)$/) - sum(/^expense:/));
    expect(sum(/^memo:auth_open$/)).toBe(sum(/^memo:auth_contra$/));
  }
  expect(await verifyLedger(world.database.url, world.runtime.keys)).toMatchObject({ ok: true });
}

const settings = { numRuns: 25, interruptAfterTimeLimit: 8_000 };

describe("random commands", () => {
  it("keep every invariant in sequence, and refusals change nothing", async () => {
    const run = async (commands: Command[]) => {
      const { ledger, desk } = await openDesk();
      for (const one of commands) {
        const before = [await headsOf(ledger), await journalCount(ledger)];
        if (!(await attempt(desk, one))) expect([await headsOf(ledger), await journalCount(ledger)]).toEqual(before);
        world.clock.advance(1000);
      }
      await writeCheckpoint(world.runtime);
      await expectSound(ledger);
    };
    await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 30 }), run), settings);
  }, 30_000);

  it("keep every invariant concurrently", async () => {
    const run = async (batches: Command[][]) => {
      const { ledger, desk } = await openDesk();
      for (const batch of batches) {
        await Promise.all([...batch.map((one) => attempt(desk, one)), writeCheckpoint(world.runtime)]);
        world.clock.advance(1000);
      }
      await expectSound(ledger);
    };
    const batches = fc.array(fc.array(command, { minLength: 4, maxLength: 12 }), { minLength: 1, maxLength: 5 });
    await fc.assert(fc.asyncProperty(batches, run), settings);
  }, 30_000);
});

describe("concurrent transfers", () => {
  it("conserve the sum and never overdraw", async () => {
    const step = fc.record({
      account: fc.nat({ max: 2 }),
      to: fc.nat({ max: 2 }),
      amount: fc.integer({ min: 1, max: 400 }),
    });
    const run = async (steps: { account: number; to: number; amount: number }[]) => {
      const { ledger, desk } = await openDesk();
      await Promise.all([0, 1, 2].map((account) => desk.run({ do: "credit", account, currency: 0, amount: 300 })));
      await Promise.all(steps.map((one) => attempt(desk, { do: "transfer", currency: 0, ...one })));
      const available = (await headsOf(ledger)).filter((head) => head.name === "available").map((head) => head.balance);
      expect(available.reduce((sum, balance) => sum + balance, 0)).toBe(900);
      await expectSound(ledger);
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), run), {
      ...settings,
      numRuns: 10,
    });
  }, 30_000);
});
