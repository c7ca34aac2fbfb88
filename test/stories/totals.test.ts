// Totals of lists: exact while few records match, near the truth above that, and kept for a minute.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import type * as z from "zod";
import { rowsBehind, sampleParts } from "@/db/sample";
import { payments, transactions } from "@/db/tables";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { newId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import { ask } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";

const many = 12_000;
const few = 600;

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  const { transaction_id: first } = await world.call(createTransaction, org.member.actor, {
    account_id: org.member.accountId,
    type: "payment",
    amount: 100,
    currency: "EUR",
  });
  await copyTransaction(first, many, {});
  await copyTransaction(first, few, { currency: "JPY" });
  await copyTransaction(first, 2, { accountId: org.other.accountId });
});
afterAll(() => world.close());

/** Inserts so many copies of the transaction, a millisecond apart, with nothing that belongs to it. */
async function copyTransaction(id: string, count: number, changes: Partial<typeof transactions.$inferInsert>) {
  const [row] = await world.runtime.db.read.select().from(transactions).where(eq(transactions.id, id));
  if (!row) throw new Error("No such transaction.");
  for (let from = 0; from < count; from += 500) {
    const copies = Array.from({ length: Math.min(500, count - from) }, (_, n) => {
      const createdAt = row.createdAt + from + n;
      return { ...row, ...changes, id: newId("txn", createdAt), createdAt };
    });
    await world.runtime.db.write((tx) => tx.insert(transactions).values(copies).then());
  }
}

type Query = z.input<typeof listTransactions.input>;

async function total(actor = org.admin.actor, query: Query = {}) {
  const given = { limit: 1, include_total: true, ...query };
  const { total_count: count, total_is_estimate: isEstimate } = await world.call(listTransactions, actor, given);
  return { count: count ?? -1, isEstimate };
}

it("is exact for up to 1,000 matches, whatever the filter", async () => {
  expect(await total(org.admin.actor, { currency: "JPY" })).toEqual({ count: few, isEstimate: false });
  expect(await total(org.member.actor, { currency: "JPY" })).toEqual({ count: few, isEstimate: false });
  expect(await total(org.other.actor)).toEqual({ count: 2, isEstimate: false });
  expect(await total(org.admin.actor, { status: ["failed"] })).toEqual({ count: 0, isEstimate: false });
});

it("is an estimate above that, for an organization, an account and a filter", async () => {
  const all: [Parameters<typeof total>[0], Query][] = [
    [org.admin.actor, {}],
    [org.member.actor, {}],
    [org.admin.actor, { currency: "EUR" }],
    [org.admin.actor, { status: ["succeeded"], type: ["payment"] }],
    [org.member.actor, { amount_min: 100 }],
  ];
  for (const [actor, query] of all) {
    const { count, isEstimate } = await total(actor, query);
    expect(isEstimate).toBe(true);
    // The sample has about 380 of them: five standard deviations.
    expect(count).toBeGreaterThan(0.74 * many);
    expect(count).toBeLessThan(1.32 * many);
    expect(count).toBe(Number(count.toPrecision(2)));
  }
});

it("stops at `total_max`", async () => {
  expect(await total(org.admin.actor, { total_max: 5 })).toEqual({ count: 5, isEstimate: false });
  expect(await total(org.admin.actor, { total_max: 1_500 })).toEqual({ count: 1_500, isEstimate: false });
  expect(await total(org.admin.actor, { total_max: 10 * many })).toMatchObject({ isEstimate: true });
});

it("keeps an estimate for a minute, also from one page to the next, and for the same search only", async () => {
  const query = { amount_max: 100 };
  const before = await total(org.admin.actor, query);
  await world.runtime.db.write((tx) =>
    tx.update(transactions).set({ amount: 200 }).where(eq(transactions.currency, "EUR")).then(),
  );
  expect(await total(org.admin.actor, query)).toEqual(before);
  expect(await total(org.admin.actor, { ...query, limit: 2 })).toEqual(before);
  expect(await total(org.admin.actor, { ...query, currency: "JPY" })).toEqual({ count: few, isEstimate: false });
  expect(await total(org.other.actor, query)).toEqual({ count: 0, isEstimate: false });
  world.clock.advance(limits.totals.keptMs);
  expect(await total(org.admin.actor, query)).toEqual({ count: few, isEstimate: false });
});

it("estimates payment requests from their own sample", async () => {
  const { payment } = await ask(world, org.member.actor);
  const { db } = world.runtime;
  const [row] = await db.read.select().from(payments).where(eq(payments.id, payment.payment_id));
  if (!row) throw new Error("No such payment request.");
  for (let from = 0; from < 4_000; from += 200) {
    const copies = Array.from({ length: 200 }, (_, n) => {
      const createdAt = row.createdAt + from + n;
      return { ...row, id: newId("pay", createdAt), linkHash: `${from + n}`, createdAt };
    });
    await db.write((tx) => tx.insert(payments).values(copies).then());
  }
  for (const actor of [org.admin.actor, org.member.actor]) {
    const query = { limit: 1, include_total: true, status: ["pending" as const] };
    const { total_count: count, total_is_estimate } = await world.call(listPaymentRequests, actor, query);
    expect(total_is_estimate).toBe(true);
    expect(count).toBeGreaterThan(2_000);
    expect(count).toBeLessThan(7_000);
  }
});

it("one id in 32 is in the sample, evenly among its parts", () => {
  const ids = Array.from({ length: 200_000 }, (_, n) => newId("txn", n));
  sampleParts.forEach((_, n) => {
    const inFirst = new Set(sampleParts.slice(0, n + 1).flat());
    const found = ids.filter((id) => inFirst.has(id.slice(-2))).length;
    const expected = ids.length / rowsBehind(n + 1);
    expect(Math.abs(found - expected)).toBeLessThan(5 * Math.sqrt(expected));
  });
});
