// What must hold for the lists of a life: they show every row once, and any filters find what a scan finds.
import * as fc from "fast-check";
import { paymentActions } from "@/server/domains/payments/operations/actions";
import type { Transaction } from "@/server/domains/transactions/schema";
import type { Actor } from "@/server/kit/context";
import type { Payment } from "../filters";
import {
  type Around,
  anySize,
  expectPayments,
  expectTabs,
  expectTransactions,
  paymentPages,
  paymentQueries,
  transactionPages,
  transactionQueries,
} from "../lists";
import type { World } from "../world";
import type { Facts } from "./facts";
import type { Scene } from "./scene";
import { must, mustEqual } from "./violation";

/** Queries to each list. */
const numRuns = 2;

/** Invariant 23, that each payment request is in one tab, and that the lists without filters have every row, newest first. */
export async function checkLists(given: World, { people, acme }: Scene, facts: Facts, seed: number): Promise<void> {
  const world = { ...given, clock: { ...given.clock, now: () => given.clock.now() + facts.offsetMs } };
  const { admin } = people;
  const { id, actor } = acme.member;
  const accountIds = facts.accounts.filter((one) => one.ownerUserId === id).map((one) => one.id);
  const readers = { admin, owner: accountIds.length > 0 ? { actor, accountIds } : null };
  const payments = (await paymentPages(world, admin, {}, 100)).rows;
  mustEqual(idsOf(payments, "payment_id"), newestFirst(facts.payments), "23", "payment requests in the list");
  await expectTabs(world, admin, payments);
  await checkRecordable(world, admin, payments);
  for (const search of fc.sample(fc.tuple(paymentQueries(payments), anySize), { seed, numRuns })) {
    await expectPayments(world, readers, payments, search);
  }
  const transactions = (await transactionPages(world, admin, {}, 100)).rows;
  mustEqual(idsOf(transactions, "transaction_id"), newestFirst(facts.transactions), "23", "transactions in the list");
  checkNets(transactions, facts);
  if (transactions.length === 0) return;
  for (const search of fc.sample(fc.tuple(transactionQueries(transactions), anySize), { seed, numRuns })) {
    await expectTransactions(world, readers, transactions, search);
  }
}

/** Invariant 23, for the filter that asks for a rule: it finds those for which the rule lets money be recorded. */
async function checkRecordable(world: World, admin: Actor, payments: readonly Payment[]): Promise<void> {
  const found = await paymentPages(world, admin, { recordable: true }, 100);
  const wanted: string[] = [];
  for (const { payment_id } of payments) {
    if ((await world.call(paymentActions, admin, { payment_id })).can_record) wanted.push(payment_id);
  }
  mustEqual(idsOf(found.rows, "payment_id"), wanted, "23", "payment requests for which money can be recorded");
}

/** Invariant 40: the net amounts of an account's transactions, and of transfers to it, add up to what is available. */
function checkNets(rows: readonly Transaction[], { ledgerAccounts }: Facts): void {
  const nets = new Map<string, number>();
  const add = (accountId: string, currency: string, amount: number) => {
    const place = `${accountId}:available:${currency}`;
    nets.set(place, (nets.get(place) ?? 0) + amount);
  };
  for (const { account_id, destination_account_id: to, currency, amount, net_amount } of rows) {
    add(account_id, currency, net_amount);
    if (to !== null) add(to, currency, amount);
  }
  for (const { id, name, balance } of ledgerAccounts) {
    if (name === "available") mustEqual(nets.get(id) ?? 0, balance, "40", `net amounts of ${id}`);
  }
}

const newestFirst = (rows: readonly { id: string; createdAt: number }[]): string[] =>
  [...rows].sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id);

/** Invariant 22: pages, with others' steps between them, have each row once that was there before the first page. */
export async function browse(world: World, { people }: Scene, before: Facts, around: Around): Promise<void> {
  const payments = await paymentPages(world, people.admin, {}, 2, around);
  checkPages(idsOf(payments.rows, "payment_id"), before.payments);
  const transactions = await transactionPages(world, people.admin, {}, 2, around);
  checkPages(idsOf(transactions.rows, "transaction_id"), before.transactions);
}

function checkPages(found: readonly string[], before: readonly { id: string }[]): void {
  const ids = new Set(found);
  must(ids.size === found.length, "22", `rows appear on two pages: ${found}`);
  for (const { id } of before) must(ids.has(id), "22", `${id} is on no page`);
}

const idsOf = <Name extends string>(rows: readonly Record<Name, string>[], name: Name): string[] =>
  rows.map((row) => row[name]);
