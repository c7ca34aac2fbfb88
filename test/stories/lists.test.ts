// The lists of payment requests and transactions: any combination of filters finds what a scan finds, page by page.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countPayments } from "@/server/domains/payments/operations/counts";
import { createPayment } from "@/server/domains/payments/operations/create";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { tabs } from "@/server/domains/payments/status-tabs";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import type { Transaction } from "@/server/domains/transactions/schema";
import type { Actor } from "@/server/kit/context";
import { hourMs } from "@/server/kit/limits";
import {
  matchesPayment,
  matchesTransaction,
  type Payment,
  type PaymentQuery,
  type TransactionQuery,
} from "@/test/filters";
import { cancelRequest, captureRequest, refundRequest } from "@/test/merchant";
import { create } from "@/test/money";
import { card, goodCard, payWith, tokenOf } from "@/test/payer";
import { openWorld, type TestOrganization, type TestUser, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
let payments: Payment[];
let transactions: Transaction[];

/** A page of a list, as both have them. */
interface Page<Row> {
  data: Row[];
  has_more: boolean;
  next_cursor: string | null;
  total_count: number | null;
}

/** The whole list, in pages of this size. Each page must be within its limit, and the total the same on all. */
async function walk<Row>(limit: number, page: (more: object) => Promise<Page<Row>>) {
  const rows: Row[] = [];
  let cursor: string | undefined;
  let total: number | null = null;
  do {
    const found = await page({ limit, cursor, include_total: cursor === undefined });
    expect(found.data.length).toBeLessThanOrEqual(limit);
    expect(found.has_more).toBe(found.next_cursor !== null);
    total ??= found.total_count;
    rows.push(...found.data);
    cursor = found.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return { rows, total };
}

const paymentPages = (actor: Actor, query: PaymentQuery, limit: number) =>
  walk(limit, (more) => world.call(listPaymentRequests, actor, { ...query, ...more }));
const transactionPages = (actor: Actor, query: TransactionQuery, limit: number) =>
  walk(limit, (more) => world.call(listTransactions, actor, { ...query, ...more }));

const names = ["Ada Lovelace", "Zoë Ångström", "李 小龍", "ADA Byron"];
const tiers = ["gold", "silver"];
const customerOf = (i: number) => ({
  ...{ name: names[i % 4], email: `Customer.${i % 6}@Example.com`, reference: `C-${i % 7}` },
  metadata: { country: i % 2 ? "DE" : "FR" },
});

/** What happens to a payment request after its creation. */
const endings: ((owner: TestUser, id: string, token: string) => Promise<unknown>)[] = [
  async () => {},
  (_, __, token) => payWith(world, token),
  (_, __, token) => payWith(world, token, card("4000000000000002")),
  (_, __, token) => payWith(world, token, card("4000002760003184")),
  ({ actor }, id) => cancelRequest(world, actor, id),
  async ({ actor }, id, token) => {
    await payWith(world, token, goodCard);
    await captureRequest(world, actor, id, 100).catch(() => {});
    await refundRequest(world, actor, id).catch(() => {});
  },
];

async function populate(): Promise<void> {
  const owners = [acme.member, acme.other, acme.admin];
  for (let i = 0; i < 36; i++) {
    const owner = owners[i % 3] ?? acme.member;
    const money = { amount: 1000 + i * 10, currency: i % 4 === 0 ? "USD" : "EUR" };
    const texts = {
      reference: i % 2 === 0 ? `INV-${i}/2026` : null,
      description: i % 3 === 0 ? `Consulting in March, part ${i}` : null,
      customer: i % 5 === 0 ? null : customerOf(i),
      metadata: { tier: tiers[i % 2] ?? "", batch: String(i % 5) },
    };
    const request = await world.call(createPayment, owner.actor, {
      ...{ type: i % 3 === 1 ? "invoice" : "product", ...money, ...texts },
      capture_method: i % 7 === 0 ? "manual" : "automatic",
      // Some expire before the lists are read, without a job that says so.
      ...(i % 4 === 1 ? { expires_at: new Date(world.clock.now() + hourMs).toISOString() } : {}),
    });
    await endings[i % endings.length]?.(owner, request.payment_id, tokenOf(request.payment_url));
    const paid = await create(world, owner.actor, {
      type: "payment",
      ...money,
      ...texts,
      reference: i % 2 === 0 ? `R ${i}` : null,
    });
    if (i % 5 === 0) {
      await create(world, owner.actor, { type: "refund", parent_transaction_id: paid.transaction_id, amount: 1 + i });
    }
    if (i % 3 === 0) world.clock.advance(hourMs);
  }
  for (const [i, from] of owners.entries()) {
    const to = owners[(i + 1) % 3] ?? from;
    const [account_id, destination_account_id] = [from.accountId, to.accountId];
    await create(world, acme.admin.actor, {
      type: "transfer",
      account_id,
      destination_account_id,
      amount: 5,
      currency: "EUR",
    });
    await create(world, acme.admin.actor, { type: "credit", account_id, amount: 8, currency: "EUR" });
  }
  world.clock.advance(hourMs);
}

beforeAll(async () => {
  world = await openWorld();
  acme = await world.organization();
  await populate();
  payments = (await paymentPages(acme.admin.actor, {}, 100)).rows;
  transactions = (await transactionPages(acme.admin.actor, {}, 100)).rows;
});
afterAll(() => world.close());

/** Usually absent, so that a combination still finds something. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** Values that occur in the rows. */
const from = <Row, T>(rows: Row[], pick: (row: Row) => T | null) =>
  fc.constantFrom(...new Set(rows.flatMap((row) => pick(row) ?? [])));
const some = <T>(values: fc.Arbitrary<T>) => fc.uniqueArray(values, { minLength: 1, maxLength: 4 });

const words = ["ada", "AD", "zoë", "ÅNG", "李", "inv-1", "march ada", "consult", "customer.1@ex", "2026", "x%"];

function sharedFilters(rows: (Payment | Transaction)[]) {
  const instants = fc.oneof(
    from(rows, (row) => row.created_at),
    fc.constant("2026-11-21"),
  );
  return {
    account_id: maybe(from(rows, (row) => row.account_id)),
    created_from: maybe(instants),
    created_to: maybe(instants),
    customer_email: maybe(fc.constantFrom("customer.1@example.com", "CUSTOMER.2@example.com", "a@b.c")),
    currency: maybe(fc.constantFrom("eur", "USD", "JPY")),
    reference: maybe(from(rows, (row) => row.reference)),
  };
}

const anySize = fc.constantFrom(2, 7, 100);

describe("any combination of filters finds the rows that a scan finds, in the same order, on pages of any size", () => {
  it("of payment requests, also their counts", { timeout: 120_000 }, async () => {
    expect(new Set(payments.map((row) => row.status)).size).toBeGreaterThanOrEqual(7);
    const queries: fc.Arbitrary<PaymentQuery> = fc.record({
      ...sharedFilters(payments),
      status: maybe(some(from(payments, (row) => row.status))),
      type: maybe(some(from(payments, (row) => row.type))),
      q: maybe(
        fc.oneof(
          fc.constantFrom(...words),
          from(payments, (row) => row.payment_id),
        ),
      ),
    });
    let hits = 0;
    const idsOf = (rows: Payment[]) => rows.map((row) => row.payment_id);
    const property = fc.asyncProperty(queries, anySize, async (query, limit) => {
      const expected = payments.filter((row) => matchesPayment(row, query));
      hits += expected.length;
      const found = await paymentPages(acme.admin.actor, query, limit);
      expect(idsOf(found.rows)).toEqual(idsOf(expected));
      expect(found.total).toBe(expected.length);
      const { status, ...rest } = query;
      const all = payments.filter((row) => matchesPayment(row, rest));
      const counts = await world.call(countPayments, acme.admin.actor, rest);
      const inTab = (tab: keyof typeof tabs) =>
        all.filter((row) => (tabs[tab] as readonly string[]).includes(row.status));
      for (const tab of ["open", "paid", "expired", "canceled"] as const) expect(counts[tab]).toBe(inTab(tab).length);
      expect(counts.all).toBe(all.length);
      const { actor, accountId } = acme.member;
      if (query.account_id !== undefined && query.account_id !== accountId) return;
      const own = await paymentPages(actor, query, limit);
      expect(idsOf(own.rows)).toEqual(idsOf(expected.filter((row) => row.account_id === accountId)));
    });
    await fc.assert(property, { numRuns: 80 });
    expect(hits).toBeGreaterThan(100);
  });

  it("of transactions", { timeout: 120_000 }, async () => {
    const queries: fc.Arbitrary<TransactionQuery> = fc.record({
      ...sharedFilters(transactions),
      status: maybe(some(from(transactions, (row) => row.status))),
      type: maybe(some(from(transactions, (row) => row.type))),
      metadata: maybe(
        fc.record(
          { tier: fc.constantFrom("gold", "silver", "no"), batch: fc.constantFrom("1", "2") },
          { requiredKeys: [] },
        ),
      ),
      customer_metadata: maybe(fc.record({ country: fc.constantFrom("DE", "FR", "tier") })),
      customer_reference: maybe(fc.constantFrom("C-1", "C-2", "c-1")),
      payment_id: maybe(from(transactions, (row) => row.payment_id)),
      parent_transaction_id: maybe(from(transactions, (row) => row.parent_transaction_id)),
      amount_min: maybe(fc.integer({ min: 0, max: 1400 })),
      amount_max: maybe(fc.integer({ min: 0, max: 1400 })),
      q: maybe(
        fc.oneof(
          fc.constantFrom(...words),
          from(transactions, (row) => row.transaction_id),
        ),
      ),
    });
    let hits = 0;
    const idsOf = (rows: Transaction[]) => rows.map((row) => row.transaction_id);
    const property = fc.asyncProperty(queries, anySize, async (query, limit) => {
      const expected = transactions.filter((row) => matchesTransaction(row, query));
      hits += expected.length;
      const found = await transactionPages(acme.admin.actor, query, limit);
      expect(idsOf(found.rows)).toEqual(idsOf(expected));
      expect(found.total).toBe(expected.length);
      const { actor, accountId } = acme.member;
      if (query.account_id !== undefined && query.account_id !== accountId) return;
      const own = await transactionPages(actor, query, limit);
      const mine = expected.filter((row) => [row.account_id, row.destination_account_id].includes(accountId));
      expect(idsOf(own.rows)).toEqual(idsOf(mine));
    });
    await fc.assert(property, { numRuns: 80 });
    expect(hits).toBeGreaterThan(100);
  });
});
