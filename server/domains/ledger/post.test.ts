// Posting: sealed rows, balances, refusals that leave nothing behind, and concurrent writers.
import { asc, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Tx } from "@/db/client";
import { journals, ledgerAccounts, organizations, postings } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import { openLedger, Refused, shownBalances, type TestLedger } from "@/test/ledger";
import { openWorld, type World } from "@/test/world";
import { postedJournals } from "./journals";
import { PostingRefused, postFacts } from "./post";
import * as rules from "./rules";

let world: World;
let ledger: TestLedger;
let a: string;
let b: string;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  ledger = await openLedger(world);
  [a, b] = ledger.accountIds;
});
afterAll(() => world.close());

const read = () => world.runtime.db.read;
const money = (accountId: string, amount: number, currency = "EUR") => ({ accountId, amount, currency });
const credit = (accountId: string, amount: number, currency = "EUR") =>
  ledger.post(
    { type: "credit", status: "succeeded", direction: "in", ...money(accountId, amount, currency) },
    rules.goodwillCredit(money(accountId, amount, currency)),
  );
const transfer = (from: string, to: string, amount: number) =>
  ledger.post(
    { type: "transfer", status: "succeeded", direction: "out", ...money(from, amount), destinationAccountId: to },
    rules.transfer({ from, to, amount, currency: "EUR" }),
  );
const entryOf = (id: string) => ({
  ...{ organizationId: ledger.organizationId, livemode: false, valueAt: null },
  source: { kind: "transaction", id } as const,
});
const contextOf = (tx: Tx) => ({ db: tx, realNow: world.clock.now(), id: world.id, runtime: world.runtime });
const availableOf = async (accountId: string) =>
  (await shownBalances(world, [accountId])).get(accountId)?.[0]?.available ?? 0;
const setBalance = (id: string, balance: number) =>
  world.runtime.db.write(async (tx) => {
    await tx.update(ledgerAccounts).set({ balance }).where(eq(ledgerAccounts.id, id));
  });
const chainOf = (id: string) =>
  read().select().from(postings).where(eq(postings.ledgerAccountId, id)).orderBy(asc(postings.sequence));

describe("posting", () => {
  it("numbers, balances and chains the lines of each ledger account", async () => {
    await credit(a, 500);
    await transfer(a, b, 200);
    const chain = await chainOf(`${a}:available:EUR`);
    expect(chain.map((line) => [line.sequence, line.side, line.amount, line.balanceAfter])).toEqual([
      [1, "credit", 500, 500],
      [2, "debit", 200, 300],
    ]);
    expect(chain[1]?.previousHash).toBe(chain[0]?.hash);
    const [head] = await read()
      .select()
      .from(ledgerAccounts)
      .where(eq(ledgerAccounts.id, `${a}:available:EUR`));
    expect(head).toMatchObject({
      balance: 300,
      sequence: 2,
      headHash: chain[1]?.hash,
      organizationId: ledger.organizationId,
    });
  });

  it("posts several journals at once, in order", async () => {
    const id = await ledger.post(
      { type: "payment", status: "succeeded", direction: "in", ...money(a, 900), amountCaptured: 900 },
      rules.authorizationOpened(money(a, 1000)),
      rules.captured({ ...money(a, 900), provider: "sandbox", heldAmount: 900, releasedAmount: 100 }),
    );
    expect((await postedJournals(read(), ledger.organizationId, id)).map((journal) => journal.event)).toEqual([
      "authorization_opened",
      "payment_captured",
    ]);
    expect((await chainOf(`${a}:memo:auth_open:EUR`)).map((line) => line.balanceAfter)).toEqual([1000, 0]);
  });

  it("keeps sandbox and live money apart", async () => {
    await credit(a, 5);
    await ledger.post(
      { type: "credit", status: "succeeded", direction: "in", livemode: true, ...money(a, 7) },
      rules.goodwillCredit(money(a, 7)),
    );
    const spend = { type: "transfer", status: "succeeded", direction: "out", livemode: true } as const;
    await expect(
      ledger.post(
        { ...spend, ...money(a, 8), destinationAccountId: b },
        rules.transfer({ from: a, to: b, amount: 8, currency: "EUR" }),
      ),
    ).rejects.toThrow(new Refused("insufficient_balance"));
    expect(await availableOf(a)).toBe(5);
    await world.runtime.db.write(async (tx) => {
      await tx.update(organizations).set({ mode: "live" }).where(eq(organizations.id, ledger.organizationId));
    });
    expect(await availableOf(a)).toBe(7);
  });

  it("keeps currencies apart", async () => {
    await credit(a, 5, "USD");
    await credit(a, 7, "EUR");
    expect((await shownBalances(world, [a, b])).get(a)).toEqual([
      { currency: "EUR", available: 7, pending: 0, held: 0, held_for_refunds: 0, held_for_disputes: 0 },
      { currency: "USD", available: 5, pending: 0, held: 0, held_for_refunds: 0, held_for_disputes: 0 },
    ]);
    expect((await shownBalances(world, [a, b])).get(b)).toEqual([]);
  });

  it("subtracts reserves from available, and counts authorizations and processing payments as pending", async () => {
    await credit(a, 100);
    const base = { direction: "in", currency: "EUR", accountId: a } as const;
    await ledger.post(
      { ...base, type: "payment", status: "authorized", amount: 40, amountAuthorized: 40 },
      rules.authorizationOpened(money(a, 40)),
    );
    await ledger.post({ ...base, type: "payment", status: "processing", amount: 25 });
    await ledger.post(
      { ...base, type: "refund", status: "pending", direction: "out", amount: 30, parentTransactionId: "txn_any" },
      rules.refundCreated(money(a, 30)),
    );
    expect((await shownBalances(world, [a])).get(a)).toEqual([
      { currency: "EUR", available: 70, pending: 65, held: 30, held_for_refunds: 30, held_for_disputes: 0 },
    ]);
  });
});

describe("a refusal", () => {
  const rowCounts = async () => [
    await read().$count(journals),
    await read().$count(postings),
    await read().select().from(ledgerAccounts).orderBy(asc(ledgerAccounts.id)),
  ];

  it("of a spend beyond the available balance leaves nothing behind", async () => {
    await credit(a, 100);
    const before = await rowCounts();
    await expect(transfer(a, b, 101)).rejects.toThrow(new Refused("insufficient_balance"));
    await expect(transfer(b, a, 1)).rejects.toThrow(new Refused("insufficient_balance"));
    expect(await rowCounts()).toEqual(before);
    await transfer(a, b, 100);
    expect([await availableOf(a), await availableOf(b)]).toEqual([0, 100]);
  });

  it("occurs at the limit of one account, but never when a balance shrinks", async () => {
    const { byRequest, byTransfer } = limits.balance;
    await credit(a, 1);
    await credit(b, 1);
    await setBalance(`${a}:available:EUR`, byRequest - 10);
    await expect(credit(a, 11)).rejects.toThrow(new Refused("balance_limit_exceeded"));
    await credit(a, 10);
    await setBalance(`${b}:available:EUR`, byTransfer - 10);
    await expect(transfer(a, b, 11)).rejects.toThrow(new Refused("balance_limit_exceeded"));
    await transfer(a, b, 10);
    // Transfers from other accounts leave b room for its own payments.
    await credit(b, 11);
    await setBalance(`${a}:available:EUR`, byRequest + 500);
    await transfer(a, ledger.accountIds[2], 20);
  });

  it("never affects what happened at a provider, up to the largest exact number", async () => {
    const id = await credit(a, 1);
    await setBalance(`${a}:available:EUR`, Number.MAX_SAFE_INTEGER - 10);
    const take = (amount: number) => {
      const journals = [rules.captured({ ...money(a, amount), provider: "sandbox" })];
      const entry = { ...entryOf(id), journals };
      return world.runtime.db.write((tx) => postFacts(contextOf(tx), entry));
    };
    await expect(take(11)).rejects.toThrow(PostingRefused);
    await take(10);
    expect((await chainOf(`${a}:available:EUR`)).at(-1)?.balanceAfter).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("throws if the caller does not expect one", async () => {
    const id = await credit(a, 1);
    const entry = entryOf(id);
    const post = (journal: rules.Journal, organizationId = ledger.organizationId) =>
      world.runtime.db.write((tx) => postFacts(contextOf(tx), { ...entry, organizationId, journals: [journal] }));
    await expect(post(rules.refundCreated(money(a, 2)))).rejects.toThrow(PostingRefused);
    await expect(post(rules.refundFailed(money(a, 2)))).rejects.toThrow(/below zero/);
    await expect(post(rules.authorizationReleased(money(a, 2)))).rejects.toThrow(/below zero/);
    const foreign = await openLedger(world);
    await expect(post(rules.goodwillCredit(money(a, 2)), foreign.organizationId)).rejects.toThrow(
      /another organization/,
    );
  });
});

describe("when journals are booked", () => {
  const times = async (accountId: string) =>
    (await chainOf(`${accountId}:available:EUR`)).map((line) => line.bookedAt - startedAt);
  let startedAt: number;
  beforeEach(() => {
    startedAt = world.clock.now();
  });
  afterEach(() => world.clock.advance(startedAt + 60_000 - world.clock.now()));

  it("never before the latest posting of any ledger account of theirs", async () => {
    world.clock.advance(5_000);
    await credit(a, 100);
    world.clock.advance(-4_000);
    await transfer(a, b, 10);
    world.clock.advance(9_000);
    await credit(b, 1);
    expect(await times(a)).toEqual([5_000, 5_000]);
    expect(await times(b)).toEqual([5_000, 10_000]);
    const bank = `${ledger.organizationId}/${b}:expense:goodwill:EUR`;
    const [head] = await read().select().from(ledgerAccounts).where(eq(ledgerAccounts.id, bank));
    expect(head?.bookedAt).toBe(startedAt + 10_000);
  });

  it("the money moved when the caller says, else when it is booked", async () => {
    const id = await credit(a, 100);
    const post = (valueAt: number | null) =>
      world.runtime.db.write((tx) =>
        postFacts(contextOf(tx), { ...entryOf(id), valueAt, journals: [rules.goodwillCredit(money(a, 5))] }),
      );
    world.clock.advance(1_000);
    await post(startedAt - 86_400_000);
    world.clock.advance(1_000);
    await post(null);
    const rows = await read()
      .select()
      .from(journals)
      .where(eq(journals.transactionId, id))
      .orderBy(asc(journals.bookedAt));
    expect(rows.map((row) => [row.bookedAt - startedAt, row.valueAt - startedAt])).toEqual([
      [0, 0],
      [1_000, -86_400_000],
      [2_000, 2_000],
    ]);
    expect(rows.every((row) => row.sourceKind === "transaction" && row.sourceId === id)).toBe(true);
  });

  it("in the order of their numbers, although writers with different clocks race", async () => {
    await credit(a, 1000);
    const id = await credit(b, 1);
    const writers = Array.from({ length: 30 }, (_, i) => {
      const clock = { now: () => startedAt + ((i * 7_919) % 30) * 1_000 };
      const journals = [rules.transfer({ from: a, to: b, amount: 1, currency: "EUR" })];
      return world.runtime.db.write((tx) =>
        postFacts({ ...contextOf(tx), runtime: { clock } }, { ...entryOf(id), journals }),
      );
    });
    await Promise.all(writers);
    for (const accountId of [a, b]) {
      const booked = await times(accountId);
      expect(booked).toEqual([...booked].sort((x, y) => x - y));
    }
    expect((await times(a)).at(-1)).toBe(29_000);
  });
});

describe("concurrent writers", () => {
  const countSuccesses = async (work: Promise<unknown>[]) =>
    (await Promise.allSettled(work)).filter((one) => one.status === "fulfilled").length;

  it("never overdraw one balance", async () => {
    await credit(a, 100);
    expect(await countSuccesses(Array.from({ length: 40 }, () => transfer(a, b, 7)))).toBe(14);
    expect([await availableOf(a), await availableOf(b)]).toEqual([2, 98]);
  });

  it("create one ledger account when all need a new one", async () => {
    expect(await countSuccesses(Array.from({ length: 20 }, () => credit(a, 5, "CHF")))).toBe(20);
    expect((await chainOf(`${a}:available:CHF`)).map((line) => line.sequence)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  });

  it("move money both ways without deadlocks", async () => {
    await credit(a, 1000);
    await credit(b, 1000);
    const startedAt = performance.now();
    const sent = Array.from({ length: 60 }, (_, i) => (i % 2 ? transfer(a, b, 1) : transfer(b, a, 1)));
    expect(await countSuccesses(sent)).toBe(60);
    // PostgreSQL detects a deadlock after a second, so with deadlocks this would take a minute.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect([await availableOf(a), await availableOf(b)]).toEqual([1000, 1000]);
  });
});
