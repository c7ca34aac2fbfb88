// A ledger with some history and three checkpoints, with raw access to it, for tests of the proof.
import { expect } from "vitest";
import { writeCheckpoint } from "@/server/domains/ledger/checkpoint";
import * as rules from "@/server/domains/ledger/rules";
import { verifyLedger } from "@/server/domains/ledger/verify";
import type { Check } from "@/server/domains/ledger/verify/fault";
import { openLedger } from "./ledger";
import { openRawAccess } from "./raw-access";
import { openWorld, type World } from "./world";

const tables = [
  "transactions",
  "ledger_accounts",
  "journals",
  "postings",
  "ledger_checkpoints",
  "ledger_checkpoint_heads",
];

/** The world with the history that {@link writeHistory} writes. */
export async function openTamperWorld() {
  const world = await openWorld();
  const ledger = await openLedger(world);
  const other = await openLedger(world);
  const [a = "", b = ""] = [...ledger.accountIds].sort();
  await writeHistory({ world, ledger, other, a, b });
  const raw = await openRawAccess(world.database.url, tables);
  const verify = () => verifyLedger(world.database.url, world.runtime.keys);
  return {
    world,
    ledger,
    other,
    raw,
    verify,
    /** The chain to tamper with: six postings, the last a transfer of 7 to `b`, whose id sorts after. */
    chain: `${a}:available:EUR`,
    b,
    /** Runs the proof, expects a fault of this check, and returns it. */
    async faultOf(check: Check) {
      const result = await verify();
      if (result.ok) throw new Error("The proof found no fault.");
      expect(result.fault).toMatchObject({ check });
      return result.fault;
    },
    async close() {
      await raw.close();
      await world.close();
    },
  };
}

type TestLedger = Awaited<ReturnType<typeof openLedger>>;

/** 900 credited to a, 300 paid to it, 80 of that refunded, 167 sent to b in three transfers; 50 credited elsewhere. */
async function writeHistory({
  world,
  ledger,
  other,
  a,
  b,
}: {
  world: World;
  ledger: TestLedger;
  other: TestLedger;
  a: string;
  b: string;
}): Promise<void> {
  const money = (accountId: string, amount: number) => ({ accountId, amount, currency: "EUR" });
  const credit = (accountId: string, amount: number, to = ledger) =>
    to.post(
      { type: "credit", status: "succeeded", direction: "in", ...money(accountId, amount) },
      rules.goodwillCredit(money(accountId, amount)),
    );
  const transfer = (amount: number) =>
    ledger.post(
      { type: "transfer", status: "succeeded", direction: "out", ...money(a, amount), destinationAccountId: b },
      rules.transfer({ from: a, to: b, amount, currency: "EUR" }),
    );
  await credit(a, 900);
  await credit(other.accountIds[0], 50, other);
  await writeCheckpoint(world.runtime);
  world.clock.advance(5);
  const amounts = {
    ...money(a, 300),
    provider: "sandbox",
    amountAuthorized: 300,
    amountCaptured: 300,
    amountRefunded: 80,
  };
  const payment = await ledger.post(
    { type: "payment", status: "partially_refunded", direction: "in", ...amounts },
    rules.captured({ ...money(a, 300), provider: "sandbox" }),
  );
  await ledger.post(
    {
      type: "refund",
      status: "succeeded",
      direction: "out",
      ...money(a, 80),
      provider: "sandbox",
      parentTransactionId: payment,
    },
    rules.refundCreated(money(a, 80)),
    rules.refundSucceeded({ ...money(a, 80), provider: "sandbox" }),
  );
  await transfer(120);
  await writeCheckpoint(world.runtime);
  world.clock.advance(5);
  await transfer(40);
  await transfer(7);
  await writeCheckpoint(world.runtime);
}

export type TamperWorld = Awaited<ReturnType<typeof openTamperWorld>>;

/** SQL for another text of the same length. */
export const flipped = (column: string): string =>
  `(case when substr(${column}, 1, 1) = 'a' then 'b' else 'a' end) || substr(${column}, 2)`;
