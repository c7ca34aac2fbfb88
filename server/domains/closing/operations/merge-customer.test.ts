// Merging customers: what moves, what leads to the survivor, what is refused, and what happens at the same time.
import { eq, inArray, like } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  auditEntries,
  customers,
  events,
  jobs,
  ledgerAccounts,
  payments,
  storedMethods,
  subscriptions,
  transactions,
} from "@/db/tables";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { getCustomer } from "@/server/domains/customers/operations/get";
import { listCustomers } from "@/server/domains/customers/operations/list";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import { countPayments } from "@/server/domains/payments/operations/counts";
import { createPayment } from "@/server/domains/payments/operations/create";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { limits } from "@/server/kit/limits";
import { atOnce } from "@/test/at-once";
import { eraseCustomerOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import { type CreateInput, create, rowOf } from "@/test/money";
import { subscribe } from "@/test/subscriber";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { moveRest } from "../merged";
import { mergeCustomer } from "./merge-customer";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  world.clock.advance(1000);
  org = await world.organization();
});
afterAll(() => world.close());

type Given = Parameters<typeof world.call<typeof createCustomer.input, typeof createCustomer.output>>[2];

async function make(given: Given, actor = org.member.actor): Promise<string> {
  world.clock.advance(1000);
  return (await world.call(createCustomer, actor, given)).customer_id;
}

const merge = (customer_id: string, into_customer_id: string, actor = org.member.actor) =>
  world.call(mergeCustomer, actor, { customer_id, into_customer_id });
const ask = (customer: object) =>
  world.call(createPayment, org.member.actor, { type: "product", amount: 500, currency: "EUR", customer });
const customerOf = async (customer: object) => (await ask(customer)).customer?.customer_id;
const read = (customer_id: string) => world.call(getCustomer, org.member.actor, { customer_id });
const requestsOf = async (customer_id: string) =>
  (await world.call(listPaymentRequests, org.member.actor, { customer_id, limit: 100 })).data;
const record = (customer: NonNullable<CreateInput["customer"]>) =>
  create(world, org.member.actor, { type: "payment", amount: 300, currency: "EUR", customer });
const transactionsOf = async (customer_id: string) =>
  (await world.call(listTransactions, org.member.actor, { customer_id, limit: 100 })).data;
const listed = async (query: object) =>
  (await world.call(listCustomers, org.member.actor, query)).data.map(({ customer_id }) => customer_id);

describe("customers.merge", () => {
  it("moves payment requests, keeps their snapshots, and changes nothing in the survivor", async () => {
    const [twin, kept] = [await make({ name: "G. Hopper", reference: "C-1" }), await make({ name: "Grace" })];
    const asked = await ask({ customer_id: twin });
    const before = await read(kept);
    world.clock.advance(5);
    const merged = await merge(twin, kept);
    expect(merged).toMatchObject({ customer_id: twin, name: "G. Hopper", reference: "C-1", merged_into: kept });
    expect(await read(twin)).toEqual(merged);
    expect(await read(kept)).toEqual(before);
    const moved = { ...asked, customer: { ...asked.customer, customer_id: kept } };
    expect(await requestsOf(kept)).toEqual([moved]);
    expect(await requestsOf(twin)).toEqual([moved]);
    expect(await world.call(countPayments, org.member.actor, { customer_id: twin })).toMatchObject({ all: 1 });
    const { db } = world.runtime;
    const emitted = await db.read.select().from(events).where(eq(events.objectId, twin)).orderBy(events.sequence);
    const data = { customer_id: twin, account_id: org.member.accountId, into_customer_id: kept };
    expect(emitted).toMatchObject([{ type: "customer.created" }, { type: "customer.merged", data }]);
    const entries = await db.read.select().from(auditEntries).where(eq(auditEntries.operation, "customers.merge"));
    expect(entries).toMatchObject([
      { targetId: twin, detail: { into_customer_id: kept, moved_payments: 1, moved_transactions: 0 } },
    ]);
  });

  it("moves transactions without a payment request, and keeps their snapshots", async () => {
    const [twin, kept] = [await make({ name: "Twin" }), await make({ name: "Kept" })];
    const paid = await record({ customer_id: twin });
    await merge(twin, kept);
    const moved = { ...paid, customer_id: kept };
    for (const customer_id of [twin, kept]) expect(await transactionsOf(customer_id)).toEqual([moved]);
    const { db } = world.runtime;
    expect(await db.read.$count(transactions, eq(transactions.customerId, kept))).toBe(1);
    const entries = await db.read.select().from(auditEntries).where(eq(auditEntries.targetId, twin));
    expect(entries).toContainEqual(
      expect.objectContaining({ detail: expect.objectContaining({ moved_payments: 0, moved_transactions: 1 }) }),
    );
    expect(await record({ customer_id: twin })).toMatchObject({ customer_id: kept, customer: { name: "Kept" } });
  });

  it("leads to the survivor by id, reference, address and words, over several merges", async () => {
    const first = await make({ name: "Zoë Sommer", email: "zoe@example.com", reference: "C-1" });
    const second = await make({ name: "Middle", email: "middle@example.com", reference: "C-2" });
    const last = await make({ name: "Grace", email: "grace@example.com" });
    await merge(first, second);
    await merge(second, last);
    expect((await read(first)).merged_into).toBe(last);
    const ways = [{ customer_id: first }, { reference: "C-1" }, { email: "ZOE@example.com" }, { reference: "C-2" }];
    for (const way of ways) expect(await customerOf(way)).toBe(last);
    const named = (await ask({ customer_id: first })).customer;
    expect(named).toMatchObject({ name: "Grace", email: "grace@example.com", reference: null });
    const queries = [
      { email: "zoe@example.com" },
      { reference: "C-1" },
      { q: "sommer" },
      { q: first },
      { q: "middle" },
    ];
    for (const query of [...queries, { q: "grace" }, { email: "grace@example.com" }, {}]) {
      expect(await listed(query)).toEqual([last]);
      expect((await world.call(listCustomers, org.admin.actor, query)).data).toHaveLength(1);
    }
    await world.call(updateCustomerFields, org.member.actor, { customer_id: last, name: "Hopper" });
    expect(await listed({ q: "sommer" })).toEqual([last]);
  });

  it("moves stored cards, with the subscription that charges them", async () => {
    const [twin, kept] = [await make({ name: "G. Hopper" }), await make({ name: "Grace" })];
    const { payment } = await subscribe(world, org.member.actor, { customer: { customer_id: twin } });
    await merge(twin, kept);
    const methodsOf = (customerId: string) =>
      world.runtime.db.read.select().from(storedMethods).where(eq(storedMethods.customerId, customerId));
    expect(await methodsOf(twin)).toEqual([]);
    expect(await methodsOf(kept)).toMatchObject([{ paymentId: payment.payment_id }]);
  });

  it("refuses more credit than one balance may hold, and moves nothing", async () => {
    const [twin, kept] = [await make({ name: "G. Hopper" }), await make({ name: "Grace" })];
    for (const customer_id of [twin, kept]) {
      const { payment_id } = await ask({ customer_id });
      await world.call(markPaid, org.member.actor, { payment_id, amount: 600, overpayment: "credit" });
    }
    await world.runtime.db.write(async (tx) => {
      const of = like(ledgerAccounts.id, `%${kept}%`);
      await tx.update(ledgerAccounts).set({ balance: limits.balance.byRequest }).where(of);
    });
    expect(await refusalOf(merge(twin, kept))).toBe("balance_limit_exceeded");
    expect(await read(twin)).toMatchObject({ merged_into: null, credit: [{ currency: "EUR", amount: 100 }] });
    expect(await requestsOf(twin)).toHaveLength(1);
  });

  it("lets only the survivor take the reference of a merged customer", async () => {
    const [twin, kept, other] = [
      await make({ reference: "C-1" }),
      await make({ name: "Grace" }),
      await make({ name: "Ada" }),
    ];
    await merge(twin, kept);
    const take = (customer_id: string) =>
      world.call(updateCustomerFields, org.member.actor, { customer_id, reference: "C-1" });
    expect(await refusalOf(take(other))).toBe("duplicate_reference");
    expect(await refusalOf(make({ reference: "C-1" }))).toBe("duplicate_reference");
    expect(await take(kept)).toMatchObject({ reference: "C-1" });
    expect(await customerOf({ reference: "C-1" })).toBe(kept);
    expect((await read(twin)).reference).toBeNull();
  });

  it("refuses itself, another account, one that was merged, and what the caller does not see", async () => {
    const [one, two, three] = [await make({ name: "1" }), await make({ name: "2" }), await make({ name: "3" })];
    const theirs = await make({ name: "Theirs" }, org.other.actor);
    expect(await refusalOf(merge(one, one))).toBe("customer_not_mergeable");
    expect(await refusalOf(merge(one, theirs, org.admin.actor))).toBe("customer_not_mergeable");
    expect(await refusalOf(merge(one, theirs))).toBe("customer_not_found");
    expect(await refusalOf(merge(theirs, one))).toBe("customer_not_found");
    await merge(one, two);
    expect(await refusalOf(merge(one, two))).toBe("customer_not_mergeable");
    expect(await refusalOf(merge(one, three))).toBe("customer_not_mergeable");
    expect(await refusalOf(merge(three, one))).toBe("customer_not_mergeable");
    const change = world.call(updateCustomerFields, org.member.actor, { customer_id: one, name: "Late" });
    expect(await refusalOf(change)).toBe("customer_not_found");
  });
});

describe("a merge at the same time", () => {
  it("as new payment requests to the merged customer leaves none of them with it", async () => {
    for (const way of ["customer_id", "email", "reference"] as const) {
      const email = `${way}@example.com`;
      const [twin, kept] = [await make({ email, reference: way }), await make({ name: "Grace" })];
      const named = { customer_id: twin, email, reference: way }[way];
      const asking = Array.from({ length: 6 }, () => ask({ [way]: named }));
      await Promise.all([...asking.slice(0, 3), merge(twin, kept), ...asking.slice(3)]);
      expect(await requestsOf(kept)).toHaveLength(6);
      expect(await world.runtime.db.read.$count(payments, eq(payments.customerId, twin))).toBe(0);
    }
  });

  it("as new transactions of the merged customer, and refunds of its payments, leaves none of them with it", async () => {
    for (const way of ["customer_id", "email", "reference"] as const) {
      const email = `paid-${way}@example.com`;
      const reference = `paid-${way}`;
      const [twin, kept] = [await make({ email, reference }), await make({ name: "Grace" })];
      const named = { customer_id: twin, email, reference }[way];
      const { transaction_id: parent_transaction_id } = await record({ customer_id: twin });
      const recording = Array.from({ length: 6 }, () => record({ [way]: named }));
      const refunding = Array.from({ length: 4 }, () =>
        create(world, org.member.actor, { type: "refund", parent_transaction_id, amount: 1 }),
      );
      await Promise.all([...recording.slice(0, 3), merge(twin, kept), ...recording.slice(3), ...refunding]);
      expect(await transactionsOf(kept)).toHaveLength(11);
      expect(await world.runtime.db.read.$count(transactions, eq(transactions.customerId, twin))).toBe(0);
    }
  });

  it("as the opposite one lets one of them win", async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await make({ name: "One" }), await make({ name: "Two" })];
      const ended = await Promise.allSettled([merge(one, two), merge(two, one)]);
      expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const lost = ended.find(({ status }) => status === "rejected");
      expect(lost).toMatchObject({ reason: { code: "customer_not_mergeable" } });
      const rows = await world.runtime.db.read
        .select()
        .from(customers)
        .where(inArray(customers.id, [one, two]));
      expect(rows.filter(({ mergedInto }) => mergedInto === null)).toHaveLength(1);
    }
  });

  it("as the survivor is erased leaves nothing of the merged one, or it is refused", async () => {
    for (let round = 0; round < 8; round++) {
      const [twin, kept] = [await make({ name: "Twinname" }), await make({ name: "Kept" })];
      const answers = await atOnce(
        round,
        () => merge(twin, kept),
        () => eraseCustomerOf(world, org.member.actor, kept),
      );
      await runJobs(world);
      const [row] = await world.runtime.db.read.select().from(customers).where(eq(customers.id, twin));
      const isMerged = answers[0] === "done";
      expect(answers).toEqual([isMerged ? "done" : "customer_not_mergeable", "done"]);
      expect([row?.name ?? null, row?.mergedInto ?? null]).toEqual(isMerged ? [null, kept] : ["Twinname", null]);
    }
  });

  it("as a merge of the survivor leads everything to the last one", async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two, three] = [await make({ name: "One" }), await make({ name: "Two" }), await make({ name: "3" })];
      await ask({ customer_id: one });
      const [first, second] = await Promise.allSettled([merge(one, two), merge(two, three)]);
      expect(second.status).toBe("fulfilled");
      if (first.status === "rejected") {
        expect(first.reason).toMatchObject({ code: "customer_not_mergeable" });
        await merge(one, three);
      }
      expect((await read(one)).merged_into).toBe(three);
      expect(await requestsOf(three)).toHaveLength(1);
    }
  });
});

describe("a customer with very many payment requests", () => {
  it("is merged at once; a job moves the last, to the customer that is the survivor by then", async () => {
    const [twin, kept, last] = [
      await make({ name: "Twin" }),
      await make({ name: "Kept" }),
      await make({ name: "Last" }),
    ];
    const { payment_id } = await ask({ customer_id: twin });
    const { db, keys } = world.runtime;
    const [row] = await db.read.select().from(payments).where(eq(payments.id, payment_id));
    if (!row || !keys) throw new Error("The payment request is missing.");
    const copies = Array.from({ length: limits.batch.merge.rows + 2 }, (_, i) => {
      return { ...row, id: world.id("pay"), linkHash: `${row.linkHash}${i}` };
    });
    for (let from = 0; from < copies.length; from += 100) {
      await db.write((tx) => tx.insert(payments).values(copies.slice(from, from + 100)));
    }
    await merge(twin, kept);
    expect(await db.read.$count(payments, eq(payments.customerId, twin))).toBe(3);
    expect(await db.read.$count(jobs, eq(jobs.objectId, twin))).toBe(1);
    await merge(kept, last);
    await runJobs(world);
    expect(await db.read.$count(payments, eq(payments.customerId, last))).toBe(copies.length + 1);
    expect(await moveRest(world.runtime, twin)).toBeUndefined();
    expect(await moveRest(world.runtime, last)).toBeUndefined();
  });

  it("and a subscription that began meanwhile, with its card", async () => {
    const [twin, kept] = [await make({ name: "Twin" }), await make({ name: "Kept" })];
    await merge(twin, kept);
    const { payment } = await subscribe(world, org.member.actor, { customer: { customer_id: kept } });
    const { db } = world.runtime;
    const subscriptionId = eq(subscriptions.firstPaymentId, payment.payment_id);
    const methodId = eq(storedMethods.paymentId, payment.payment_id);
    // Its payment request still belonged to the merged customer when it was paid.
    await db.write(async (tx) => {
      await tx.update(payments).set({ customerId: twin }).where(eq(payments.id, payment.payment_id));
      await tx.update(subscriptions).set({ customerId: twin }).where(subscriptionId);
      await tx.update(storedMethods).set({ customerId: twin }).where(methodId);
    });
    await moveRest(world.runtime, twin);
    const [subscription] = await db.read.select().from(subscriptions).where(subscriptionId);
    const [method] = await db.read.select().from(storedMethods).where(methodId);
    expect([subscription?.customerId, method?.customerId]).toEqual([kept, kept]);
  });

  it("and so are its transactions", async () => {
    const [twin, kept] = [await make({ name: "Twin" }), await make({ name: "Kept" })];
    const row = await rowOf(world, (await record({ customer_id: twin })).transaction_id);
    const { db } = world.runtime;
    const copies = Array.from({ length: limits.batch.merge.rows + 2 }, () => ({ ...row, id: world.id("txn") }));
    for (let from = 0; from < copies.length; from += 100) {
      await db.write((tx) => tx.insert(transactions).values(copies.slice(from, from + 100)));
    }
    await merge(twin, kept);
    const countOf = (id: string) => db.read.$count(transactions, eq(transactions.customerId, id));
    expect(await countOf(twin)).toBe(3);
    expect((await transactionsOf(kept)).every(({ customer_id: id }) => id === kept)).toBe(true);
    await runJobs(world);
    expect([await countOf(twin), await countOf(kept)]).toEqual([0, copies.length + 1]);
  });
});
