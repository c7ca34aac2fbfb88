// Posting: sealed rows, balances, refusals that leave nothing behind, and writers at the same time.
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { journals, ledgerAccounts, postings } from "@/db/tables";
import { accountBalances, accountBalancesAt } from "@/server/ledger/balances";
import { journalsOf, PostingRefused, postJournals } from "@/server/ledger/post";
import * as rules from "@/server/ledger/rules";
import { openLedger, Refused, type TestLedger } from "@/server/testing/ledger";
import { openWorld, type World } from "@/server/testing/world";

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
const availableOf = async (accountId: string) =>
  (await accountBalances(read(), [accountId])).get(accountId)?.[0]?.available ?? 0;
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

  it("takes several journals at once, in order", async () => {
    const id = await ledger.post(
      { type: "payment", status: "succeeded", direction: "in", ...money(a, 900), amountCaptured: 900 },
      rules.authorizationOpened(money(a, 1000)),
      rules.captured({ ...money(a, 900), provider: "sandbox", heldAmount: 900, releasedAmount: 100 }),
    );
    expect((await journalsOf(read(), ledger.organizationId, id)).map((journal) => journal.event).sort()).toEqual([
      "authorization_opened",
      "payment_captured",
    ]);
    expect((await chainOf(`${a}:memo:auth_open:EUR`)).map((line) => line.balanceAfter)).toEqual([1000, 0]);
  });

  it("keeps currencies apart", async () => {
    await credit(a, 5, "USD");
    await credit(a, 7, "EUR");
    expect((await accountBalances(read(), [a, b])).get(a)).toEqual([
      { currency: "EUR", available: 7, pending: 0, held: 0 },
      { currency: "USD", available: 5, pending: 0, held: 0 },
    ]);
    expect((await accountBalances(read(), [a, b])).get(b)).toEqual([]);
  });

  it("counts holds and refunds under way against available, and authorizations and payments in processing as pending", async () => {
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
    await ledger.post({ ...base, type: "adjustment", status: "pending", amount: 1 }, rules.reserveOpened(money(a, 10)));
    expect((await accountBalances(read(), [a])).get(a)).toEqual([
      { currency: "EUR", available: 60, pending: 65, held: 40 },
    ]);
  });

  it("answers the balances of any past instant", async () => {
    const before = world.clock.now();
    world.clock.advance(1000);
    await credit(a, 50);
    const between = world.clock.now();
    world.clock.advance(1000);
    await transfer(a, b, 20);
    const availableAt = async (at: number) => (await accountBalancesAt(read(), a, at))[0]?.available;
    expect(await availableAt(before)).toBeUndefined();
    expect(await availableAt(between)).toBe(50);
    expect(await availableAt(world.clock.now())).toBe(30);
  });

  it("reverses a journal once", async () => {
    const id = await credit(a, 500);
    const [journal] = await journalsOf(read(), ledger.organizationId, id);
    if (!journal) throw new Error("nothing was posted");
    await ledger.move(id, async () => true, rules.reversal(journal));
    expect(await availableOf(a)).toBe(0);
    await credit(a, 500);
    await expect(ledger.move(id, async () => true, rules.reversal(journal))).rejects.toThrow();
    expect(await availableOf(a)).toBe(500);
  });
});

describe("a refusal", () => {
  const rowCounts = async () => [
    await read().$count(journals),
    await read().$count(postings),
    await read().select().from(ledgerAccounts).orderBy(asc(ledgerAccounts.id)),
  ];

  it("of a spend beyond what is available leaves nothing behind", async () => {
    await credit(a, 100);
    const before = await rowCounts();
    await expect(transfer(a, b, 101)).rejects.toThrow(new Refused("insufficient_balance"));
    await expect(transfer(b, a, 1)).rejects.toThrow(new Refused("insufficient_balance"));
    expect(await rowCounts()).toEqual(before);
    await transfer(a, b, 100);
    expect([await availableOf(a), await availableOf(b)]).toEqual([0, 100]);
  });

  it("comes before a balance would no longer be exact", async () => {
    const id = `${a}:available:EUR`;
    await credit(a, 1);
    const almost = Number.MAX_SAFE_INTEGER - 1000;
    await world.runtime.db.write((tx) =>
      tx
        .update(ledgerAccounts)
        .set({ balance: almost })
        .where(eq(ledgerAccounts.id, id))
        .then(() => undefined),
    );
    await expect(credit(a, 1001)).rejects.toThrow(new Refused("balance_limit_exceeded"));
    await credit(a, 1000);
    expect((await chainOf(id)).at(-1)?.balanceAfter).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("throws where the caller did not expect one", async () => {
    const id = await credit(a, 1);
    const entry = { organizationId: ledger.organizationId, transactionId: id };
    const post = (journal: rules.Journal, organizationId = ledger.organizationId) =>
      world.runtime.db.write((tx) =>
        postJournals(
          { db: tx, now: world.clock.now(), id: world.id },
          { ...entry, organizationId, journals: [journal] },
        ),
      );
    await expect(post(rules.refundCreated(money(a, 2)))).rejects.toThrow(PostingRefused);
    await expect(post(rules.refundFailed(money(a, 2)))).rejects.toThrow(/below zero/);
    await expect(post(rules.authorizationReleased(money(a, 2)))).rejects.toThrow(/below zero/);
    const foreign = await openLedger(world);
    await expect(post(rules.goodwillCredit(money(a, 2)), foreign.organizationId)).rejects.toThrow(
      /another organization/,
    );
  });
});

describe("writers at the same time", () => {
  const settle = async (work: Promise<unknown>[]) =>
    (await Promise.allSettled(work)).filter((one) => one.status === "fulfilled").length;

  it("never overdraw one balance", async () => {
    await credit(a, 100);
    expect(await settle(Array.from({ length: 40 }, () => transfer(a, b, 7)))).toBe(14);
    expect([await availableOf(a), await availableOf(b)]).toEqual([2, 98]);
  });

  it("make one ledger account when they all need a new one", async () => {
    expect(await settle(Array.from({ length: 20 }, () => credit(a, 5, "CHF")))).toBe(20);
    expect((await chainOf(`${a}:available:CHF`)).map((line) => line.sequence)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  });

  it("move money both ways without waiting for each other in a circle", async () => {
    await credit(a, 1000);
    await credit(b, 1000);
    const startedAt = performance.now();
    const sent = Array.from({ length: 60 }, (_, i) => (i % 2 ? transfer(a, b, 1) : transfer(b, a, 1)));
    expect(await settle(sent)).toBe(60);
    // PostgreSQL lets each deadlock stand for a second: with them this would take a minute.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect([await availableOf(a), await availableOf(b)]).toEqual([1000, 1000]);
  });
});

describe("append-only", () => {
  it.each([
    ["journals", journals, { event: "other" }],
    ["postings", postings, { amount: 1 }],
  ] as const)("%s refuse UPDATE and DELETE", async (_name, table, change) => {
    await credit(a, 1);
    const attempt = (statement: "update" | "delete") =>
      world.runtime.db.write(async (tx) => {
        await (statement === "update" ? tx.update(table).set(change) : tx.delete(table));
      });
    for (const statement of ["update", "delete"] as const) {
      const error = await attempt(statement).catch((failure: Error) => failure);
      expect(String(error instanceof Error ? (error.cause ?? error) : error)).toMatch(/append-only/);
    }
  });
});
