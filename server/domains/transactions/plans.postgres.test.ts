// How PostgreSQL finds the few transactions and accounts that a dispute or a card concerns, among many others.
import { afterAll, beforeAll, expect, it } from "vitest";
import { accounts, transactions } from "@/db/tables";
import { listAccounts } from "@/server/domains/accounts/operations/list";
import { newId } from "@/server/kit/ids";
import { earn } from "@/test/money";
import { openPlans, type Plans } from "@/test/postgres-plans";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { listTransactions } from "./operations/list";

let world: World;
let org: TestOrganization;
let plans: Plans;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  await earn(world, org.member, 100);
  await world.runtime.db.write(async (tx) => {
    const [transaction] = await tx.select().from(transactions);
    const [account] = await tx.select().from(accounts);
    if (!transaction || !account) throw new Error("Nothing to copy.");
    const later = (at: number, i: number) => ({ createdAt: at + i });
    const many = Array.from({ length: 500 }, (_, i) => i + 1);
    for (let batch = 0; batch < 6; batch++) {
      const numbers = many.map((i) => i + batch * many.length);
      const own = { reference: null, providerReference: null };
      await tx.insert(transactions).values(
        numbers.map((i) => ({
          ...{ ...transaction, ...own, ...later(transaction.createdAt, i) },
          id: newId("txn", transaction.createdAt + i),
          cardLast4: String(i).padStart(4, "0"),
          amount: 100 + i,
        })),
      );
      await tx.insert(accounts).values(
        numbers.map((i) => ({
          ...{ ...account, ...later(account.createdAt, i), ownerUserId: null },
          id: newId("acct", account.createdAt + i),
        })),
      );
    }
  });
  plans = await openPlans(world.database.url, "transactions");
  await (await openPlans(world.database.url, "accounts")).close();
});
afterAll(async () => {
  await plans.close();
  await world.close();
});

it("lists what is disputed along an index that has no others, for admins and members", async () => {
  for (const { actor } of [org.admin, org.member]) {
    const list = () => world.call(listTransactions, actor, { disputed: true, include_total: true });
    for (const plan of await plans.of(list, /from "transactions"/)) {
      expect(plan).toMatch(/using transactions_disputed(_page)? on transactions/i);
    }
  }
});

it("lists what was paid with a card along the index of cards, for admins and members", async () => {
  for (const { actor } of [org.admin, org.member]) {
    const list = () => world.call(listTransactions, actor, { card_last4: "0042", include_total: true });
    const found = await plans.of(list, /"card_last4" = /);
    expect(found.length).toBeGreaterThan(0);
    for (const plan of found) expect(plan).toMatch(/transactions_card on transactions/i);
  }
});

it("lists what settled in a period by its creation, and finds those that settled late by their own index", async () => {
  const settled_from = "2026-11-01";
  const list = () => world.call(listTransactions, org.admin.actor, { settled_from, settled_to: "2030-01-01" });
  const found = await plans.of(list, /from "transactions"/);
  const [late = "", ...pages] = found;
  expect(late).toMatch(/ on transactions_settled_late /);
  expect(pages.length).toBeGreaterThan(0);
  for (const plan of pages) expect(plan).toMatch(/(using|on) transactions_page\s/);
});

it("lists accounts in debt by the accounts with disputes", async () => {
  const list = () => world.call(listAccounts, org.admin.actor, { in_debt: true, include_total: true });
  for (const plan of await plans.of(list, /from "accounts".*dispute_status/)) {
    expect(plan).toMatch(/transactions_disputed/);
    expect(plan).toMatch(/accounts_pkey/);
    expect(plan).not.toContain("Seq Scan on accounts");
  }
});

it("finds a typed amount along the index of amounts", async () => {
  const found = await plans.of(
    () => world.call(listTransactions, org.admin.actor, { q: "12.34" }),
    /from "transactions" where .*"amount" = /,
  );
  expect(found.join("\n")).toMatch(/using transactions_amount_page on transactions/i);
});
