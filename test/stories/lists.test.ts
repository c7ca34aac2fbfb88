// The lists of payment requests and transactions: any combination of filters finds what a scan finds, page by page.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPayment } from "@/server/domains/payments/operations/create";
import { getPayment } from "@/server/domains/payments/operations/get";
import type { Transaction } from "@/server/domains/transactions/schema";
import { dayMs, hourMs } from "@/server/kit/limits";
import type { Payment } from "@/test/filters";
import {
  anySize,
  expectPayments,
  expectTransactions,
  paymentPages,
  paymentQueries,
  type Readers,
  transactionPages,
  transactionQueries,
} from "@/test/lists";
import { cancelRequest, captureRequest, refundRequest } from "@/test/merchant";
import { create } from "@/test/money";
import { card, goodCard, payWith, tokenOf } from "@/test/payer";
import { openWorld, type TestOrganization, type TestUser, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
let readers: Readers;
/** Everything that the admin sees. */
let payments: Payment[];
let transactions: Transaction[];

const names = ["Ada Lovelace", "Zoë Ångström", "李 小龍", "ADA Byron", "Grégoire Straße"];
const tiers = ["gold", "silver"];
const customerOf = (i: number) => ({
  name: names[i % 5],
  email: `Customer.${i % 6}@Example.com`,
  reference: `C-${i % 7}`,
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
  async ({ actor }, payment_id) => {
    const { currency } = await world.call(getPayment, actor, { payment_id });
    const part = await create(world, actor, { type: "payment", payment_id, amount: 50, currency });
    await create(world, actor, { type: "refund", parent_transaction_id: part.transaction_id, amount: 20 });
  },
];

const instantIn = (ms: number) => new Date(world.clock.now() + ms).toISOString();

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
      ...(i % 5 < 3 ? { type: "invoice", due_at: instantIn(i % 4 === 3 ? 30 * dayMs : hourMs) } : { type: "product" }),
      ...money,
      ...texts,
      capture_method: i % 7 === 0 ? "manual" : "automatic",
      // Some expire before the lists are read, without a job that says so.
      ...(i % 4 === 1 ? { expires_at: instantIn(hourMs) } : {}),
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
  const { admin, member } = acme;
  readers = { admin: admin.actor, owner: { actor: member.actor, accountIds: [member.accountId] } };
  payments = (await paymentPages(world, admin.actor, {}, 100)).rows;
  transactions = (await transactionPages(world, admin.actor, {}, 100)).rows;
});
afterAll(() => world.close());

describe("any filters find the rows that a scan finds, in the same order, on pages of any size", () => {
  it("of payment requests, also their counts", { timeout: 120_000 }, async () => {
    expect(new Set(payments.map((row) => row.status)).size).toBeGreaterThanOrEqual(7);
    expect((await paymentPages(world, acme.admin.actor, { overdue: true }, 2)).rows.length).toBeGreaterThan(3);
    let hits = 0;
    const property = fc.asyncProperty(paymentQueries(payments), anySize, async (...search) => {
      hits += await expectPayments(world, readers, payments, search);
    });
    await fc.assert(property, { numRuns: 80 });
    expect(hits).toBeGreaterThan(100);
  });

  it("of transactions", { timeout: 120_000 }, async () => {
    let hits = 0;
    const property = fc.asyncProperty(transactionQueries(transactions), anySize, async (...search) => {
      hits += await expectTransactions(world, readers, transactions, search);
    });
    await fc.assert(property, { numRuns: 80 });
    expect(hits).toBeGreaterThan(100);
  });
});
