// Erasing a customer with more records than one transaction erases: completely, by whichever process, and nothing else.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { customers, jobs, mails, payments, tables, transactions } from "@/db/tables";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import { answerChallenge } from "@/server/domains/payments/operations/challenge";
import { createPayment } from "@/server/domains/payments/operations/create";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { limits } from "@/server/kit/limits";
import { searchTextOf } from "@/server/kit/words";
import { runJobs } from "@/test/jobs";
import { askMany, payUse } from "@/test/link-payer";
import { anyone, card, tokenOf } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { eraseRest } from "../erased";
import { eraseCustomer } from "./erase-customer";

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

let keys = 0;
const keyed = () => ({ idempotencyKey: `key-${keys++}` });

async function make(given: Given): Promise<string> {
  world.clock.advance(1000);
  return (await world.call(createCustomer, org.member.actor, given, keyed())).customer_id;
}

const product = { type: "product" as const, amount: 500, currency: "EUR" };
const ask = (customer: object, fields: object = {}) =>
  world.call(createPayment, org.member.actor, { ...product, customer, ...fields }, keyed());
const erase = (customer_id: string, request: object = {}) =>
  world.call(eraseCustomer, org.member.actor, { customer_id }, request);
const record = (customer: object, fields: object = {}) =>
  world.call(
    createTransaction,
    org.member.actor,
    { type: "payment", amount: 300, currency: "EUR", customer, ...fields },
    keyed(),
  );

/** The tables that contain one of the texts, whatever its case and accents. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const wanted = texts.flatMap((text) => [text.toLowerCase(), searchTextOf(text)]);
  const found: string[] = [];
  for (const [name, table] of Object.entries(tables)) {
    const content = JSON.stringify(await world.runtime.db.read.select().from(table)).toLowerCase();
    found.push(...wanted.filter((text) => content.includes(text)).map((text) => `${name}: ${text}`));
  }
  return [...new Set(found)];
}

describe("a customer with very many payment requests", () => {
  async function makeLarge(email: string | null = "large@example.com"): Promise<string> {
    const customer_id = await make({ name: "Largename", email });
    const { payment_id } = await ask({ customer_id });
    const { db } = world.runtime;
    const [row] = await db.read.select().from(payments).where(eq(payments.id, payment_id));
    if (!row) throw new Error("The payment request is missing.");
    const { rows, atOnce } = limits.batch.erase;
    // The copies have no words to search for, and come after the payment request that has.
    world.clock.advance(1);
    const copies = Array.from({ length: rows * atOnce + 5 }, (_, i) => {
      return { ...row, id: world.id("pay"), linkHash: `${row.linkHash}${i}` };
    });
    for (let from = 0; from < copies.length; from += 100) {
      await db.write((tx) => tx.insert(payments).values(copies.slice(from, from + 100)));
    }
    return customer_id;
  }

  it("is erased completely before the answer", async () => {
    const customer_id = await makeLarge();
    await erase(customer_id);
    expect(await tablesWith(["Largename", "large@example.com"])).toEqual([]);
  });

  it("is erased by the job if the process ends before, and nothing is left of what it needed for that", async () => {
    const customer_id = await makeLarge();
    const { db } = world.runtime;
    await record({ email: "large@example.com" });
    const gone = new AbortController();
    gone.abort();
    await erase(customer_id, { signal: gone.signal });
    expect((await tablesWith(["Largename"])).sort()).toEqual(["idempotencyKeys: largename", "payments: largename"]);
    // The job needs it until the end.
    expect(await tablesWith(["large@example.com"])).toContain("jobs: large@example.com");
    expect(await db.read.$count(customers, eq(customers.name, "Largename"))).toBe(0);
    expect(await db.read.$count(jobs, eq(jobs.kind, "customers.erase"))).toBe(1);
    // Somebody else gets the address meanwhile.
    world.clock.advance(1000);
    const later = await ask({ email: "large@example.com" }, { send: true });
    const own = await record({ email: "large@example.com" });
    const kept = async () => [
      await db.read.select().from(mails).where(eq(mails.paymentId, later.payment_id)),
      await db.read.select().from(transactions).where(eq(transactions.id, own.transaction_id)),
    ];
    const before = await kept();
    world.clock.advance(60_000);
    await runJobs(world);
    expect(await tablesWith(["Largename"])).toEqual([]);
    expect(await kept()).toEqual(before);
    expect(await db.read.$count(mails, eq(mails.toKey, "large@example.com"))).toBe(1);
    await expect(eraseRest(world.runtime, customer_id, new AbortController().signal, null)).rejects.toThrow();
  });

  it("is not made anew by a payer who confirms before the job comes to that payment; later payers are others", async () => {
    const customer_id = await makeLarge(null);
    world.clock.advance(1000);
    const email = "typed@example.com";
    const { token } = await askMany(world, org.member.actor, { usage_limit: null });
    const begin = (name: string, ip: string, number: string) =>
      payUse(world, token, { ...card(number), name, email }, { ip });
    const use = await begin("Largename", "192.0.2.1", "4000002760003184");
    await world.call(updateCustomerFields, org.member.actor, { customer_id, email }, keyed());
    const gone = new AbortController();
    gone.abort();
    await erase(customer_id, { signal: gone.signal });
    world.clock.advance(1000);
    const later = await begin("Somebody", "192.0.2.2", "4000000000000002");
    await world.call(answerChallenge, anyone, { reference: tokenOf(use.action_url), answer: "complete" });
    world.clock.advance(60_000);
    await runJobs(world);
    const { db } = world.runtime;
    expect(await db.read.$count(customers, eq(customers.organizationId, org.id))).toBe(1);
    const rowOf = async (id: string) => (await db.read.select().from(payments).where(eq(payments.id, id)))[0];
    expect(await rowOf(use.payment_id)).toMatchObject({ status: "paid", customerId: customer_id });
    expect(await rowOf(later.payment_id)).toMatchObject({ customerId: null, customer: { name: "Somebody", email } });
    expect(await tablesWith(["Largename"])).toEqual([]);
  });
});
