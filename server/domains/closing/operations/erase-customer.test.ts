// Erasing customers: nothing that identifies one is left in any table, and what other records need stays.
import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries, events, jobs, mails, payments, tables, transactions } from "@/db/tables";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { getCustomer } from "@/server/domains/customers/operations/get";
import { listCustomers } from "@/server/domains/customers/operations/list";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import { issueFormToken } from "@/server/domains/payments/form-token";
import { invoiceOf } from "@/server/domains/payments/invoices/store";
import { createPayment } from "@/server/domains/payments/operations/create";
import { getPayment } from "@/server/domains/payments/operations/get";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { requestLink } from "@/server/domains/payments/operations/request-link";
import { sendPayment } from "@/server/domains/payments/operations/send";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { createView } from "@/server/domains/views/operations/views";
import { searchTextOf } from "@/server/kit/words";
import { onDashboard } from "@/test/factors";
import { runJobs } from "@/test/jobs";
import { captureRequest } from "@/test/merchant";
import { expectSoundLedger } from "@/test/money";
import { anyone, payWith, tokenOf } from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { eraseCustomer } from "./erase-customer";
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

let keys = 0;
const keyed = () => ({ idempotencyKey: `key-${keys++}` });

async function make(given: Given): Promise<string> {
  world.clock.advance(1000);
  return (await world.call(createCustomer, org.member.actor, given, keyed())).customer_id;
}

const product = { type: "product" as const, amount: 500, currency: "EUR" };
const ask = (customer: object, fields: object = {}) =>
  world.call(createPayment, org.member.actor, { ...product, customer, ...fields }, keyed());
const pay = async (request: { payment_url: string | null }) => payWith(world, tokenOf(request.payment_url));
const erase = (customer_id: string, request: object = {}) =>
  world.call(eraseCustomer, org.member.actor, { customer_id }, request);
const record = (customer: object, fields: object = {}) =>
  world.call(
    createTransaction,
    org.member.actor,
    { type: "payment", amount: 300, currency: "EUR", customer, ...fields },
    keyed(),
  );

/** Makes the customer of the transaction known by its snapshot only. */
const unlink = ({ transaction_id: id }: { transaction_id: string }) =>
  world.runtime.db.write((tx) => tx.update(transactions).set({ customerId: null }).where(eq(transactions.id, id)));

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

const personal = {
  name: "Zoë Ångströmsdóttir",
  email: "Zoe.A@Example.com",
  phone: "+43 664 9988776",
  address: { line1: "Sommergasse 17a", city: "Klosterneuburg", country: "AT" },
  tax_id: "ATU99887766",
  reference: "KD-4711",
  locale: "de-AT",
  metadata: { shoe: "size-forty-one" },
};
const values = [
  ...["Zoë Ångströmsdóttir", "ångströmsdóttir", "zoe.a@example.com", "9988776", "Sommergasse", "Klosterneuburg"],
  ...["ATU99887766", "KD-4711", "size-forty-one", "first@elsewhere.at", "Twinname", "twin@elsewhere.at", "KD-4712"],
  ...["assistant@elsewhere.at", "Snapshotname", "Dear Snapshotname", "Draftname"],
];

describe("customers.erase", () => {
  it("keeps invoices as they were issued, and names their numbers", async () => {
    const customer_id = await make({ name: "Zelda Quux", address: { city: "Quuxville" } });
    const invoice = await ask({ customer_id }, { type: "invoice" });
    await ask({ customer_id });
    const before = await invoiceOf(world.runtime.db.read, invoice.payment_id);
    expect(before?.record.buyer).toMatchObject({ name: "Zelda Quux", address: { city: "Quuxville" } });
    expect((await erase(customer_id)).kept).toEqual([invoice.invoice_number]);
    expect((await erase(customer_id)).kept).toEqual([invoice.invoice_number]);
    expect(await invoiceOf(world.runtime.db.read, invoice.payment_id)).toEqual(before);
    expect((await world.call(listPaymentRequests, org.member.actor, { q: "quux" })).data).toEqual([]);
    expect((await tablesWith(["Quux"])).filter((place) => !place.startsWith("invoices:"))).toEqual([]);
  });

  it("reaches what transactions of another customer's payment request say, but not what that request says", async () => {
    const yvonne = await make({ name: "Yvonne Quux", email: "yvonne@quux.example", reference: "Q-1" });
    const ada = await make({ name: "Ada", email: "ada@example.com" });
    const { payment_id } = await ask({ customer_id: ada });
    for (const customer of [{ email: "Yvonne@quux.example" }, { reference: "Q-1" }]) {
      await record({ name: "Yvonne Quux", ...customer }, { payment_id, amount: 100 });
    }
    await record({ name: "Cashier" }, { payment_id, amount: 100 });
    // The address was another's when the payment request was made, and is now that of the customer who is erased.
    const reused = await ask({ customer_id: ada, email: "desk@quux.example", name: "Ada" });
    await record({ email: "desk@quux.example", name: "Ada" }, { payment_id: reused.payment_id, amount: 100 });
    const moved = { customer_id: yvonne, email: "desk@quux.example" };
    await world.call(updateCustomerFields, org.member.actor, moved, keyed());
    await erase(yvonne);
    expect(await tablesWith(["Yvonne", "Q-1"])).toEqual([]);
    const rows = await world.runtime.db.read.select().from(transactions);
    expect(rows.flatMap(({ customer }) => customer?.name ?? []).sort()).toEqual(["Ada", "Cashier"]);
  });

  it("leaves nothing that identifies the customer in any column of any table", async () => {
    const customer_id = await make({ ...personal, email: "first@elsewhere.at" });
    await record({ email: "first@elsewhere.at", name: "Zoë Ångströmsdóttir" });
    const changed = { customer_id, email: personal.email, phone: null };
    await world.call(updateCustomerFields, org.member.actor, changed, keyed());
    const twin = await make({ name: "Twinname", email: "twin@elsewhere.at", reference: "KD-4712" });
    await ask({ customer_id: twin });
    await world.call(mergeCustomer, org.member.actor, { customer_id: twin, into_customer_id: customer_id }, keyed());

    const paid = await ask({ customer_id }, { send: true, description: "Blue bicycle", reference: "R-1" });
    await pay(paid);
    await world.call(refundPayment, org.member.actor, { payment_id: paid.payment_id, amount: 100 }, keyed());
    const open = await ask({ email: "ZOE.A@example.com", name: "Snapshotname", metadata: { shoe: "size-forty-one" } });
    await ask({ reference: "KD-4711", name: "Draftname" }, { draft: true });
    const letter = { payment_id: open.payment_id, message: "Dear Snapshotname", to: "assistant@elsewhere.at" };
    await world.call(sendPayment, org.admin.actor, letter, keyed());
    const received = await record({
      reference: "KD-4711",
      email: "zoe.a@example.com",
      metadata: { shoe: "size-forty-one" },
    });
    await record({ email: "twin@elsewhere.at", name: "Twinname" }, { payment_id: open.payment_id, amount: 100 });
    const refund = { type: "refund" as const, parent_transaction_id: received.transaction_id, amount: 100 };
    await world.call(createTransaction, org.member.actor, refund, keyed());
    const expires_at = new Date(world.clock.now() + 60_000).toISOString();
    const late = await ask({ customer_id }, { expires_at });
    world.clock.advance(60_000);
    const token = tokenOf(late.payment_url);
    const form_token = issueFormToken(world.runtime.keys, "ask", token, world.clock.now());
    await world.call(requestLink, anyone, { token, form_token });
    const search = { list: "payment_requests" as const, name: "Hers", filters: { customer_email: personal.email } };
    await world.call(createView, onDashboard(world, org.member), search);
    await runJobs(world);
    const before = await tablesWith(values);
    for (const table of ["customers", "customerWords", "payments", "paymentWords", "transactions"]) {
      expect(before.join()).toContain(`${table}: `);
    }
    for (const table of [
      "transactionWords",
      "transactionTags",
      "mails",
      "auditChanges",
      "idempotencyKeys",
      "savedViews",
    ]) {
      expect(before.join()).toContain(`${table}: `);
    }

    world.clock.advance(5);
    const answer = await erase(customer_id, keyed());
    expect(await tablesWith(values)).toEqual([]);
    expect(answer).toMatchObject({ customer_id, erased_at: new Date(world.clock.now()).toISOString(), kept: [] });
    expect(Object.values(answer).filter((value) => values.includes(String(value)))).toEqual([]);
    await runJobs(world);
    expect(await tablesWith(values)).toEqual([]);

    const kept = await world.call(getPayment, org.member.actor, { payment_id: paid.payment_id });
    expect(kept).toMatchObject({ amount: 500, amount_paid: 500, description: "Blue bicycle", reference: "R-1" });
    expect(kept.customer).toEqual({ customer_id, name: null, email: null, reference: null, metadata: {} });
    const found = async (q: string) =>
      (await world.call(listPaymentRequests, org.member.actor, { q })).data.map(({ payment_id }) => payment_id);
    expect(await found("bicycle")).toEqual([paid.payment_id]);
    expect(await found("r-1")).toEqual([paid.payment_id]);
    await expectSoundLedger(world);
  });

  it("answers the same again, and the tombstone can be read but neither changed, merged nor addressed", async () => {
    const customer_id = await make(personal);
    const first = await erase(customer_id);
    world.clock.advance(1000);
    expect(await erase(customer_id)).toEqual(first);
    const { kept: _kept, ...tombstone } = first;
    expect(await world.call(getCustomer, org.member.actor, { customer_id })).toEqual(tombstone);
    expect((await world.call(listCustomers, org.member.actor, {})).data).toEqual([]);
    expect((await world.call(listCustomers, org.member.actor, { q: customer_id })).data).toEqual([]);
    const other = await make({ name: "Ada" });
    const change = world.call(updateCustomerFields, org.member.actor, { customer_id, name: "Again" });
    expect(await refusalOf(change)).toBe("customer_not_found");
    expect(await refusalOf(ask({ customer_id }))).toBe("customer_not_found");
    for (const [one, into] of [
      [customer_id, other],
      [other, customer_id],
    ]) {
      const input = { customer_id: one ?? "", into_customer_id: into ?? "" };
      expect(await refusalOf(world.call(mergeCustomer, org.member.actor, input))).toBe("customer_not_mergeable");
    }
    const emitted = await world.runtime.db.read
      .select()
      .from(events)
      .where(eq(events.objectId, customer_id))
      .orderBy(events.sequence);
    expect(emitted.map(({ type }) => type)).toEqual(["customer.created", "customer.erased"]);
    const { db } = world.runtime;
    const entries = await db.read.select().from(auditEntries).where(eq(auditEntries.operation, "customers.erase"));
    expect(entries.filter(({ targetId }) => targetId === customer_id)).toHaveLength(2);
    expect(await db.read.$count(jobs, eq(jobs.kind, "customers.erase"))).toBe(0);
  });

  it("makes a new customer of later payment requests to the old address or reference", async () => {
    const customer_id = await make(personal);
    await erase(customer_id);
    const { email, reference } = personal;
    for (const customer of [{ email }, { reference }, { email, reference }]) {
      const made = (await ask(customer)).customer;
      expect(made?.customer_id).toMatch(/^cus_/);
      expect(made?.customer_id).not.toBe(customer_id);
    }
    expect(await make({ reference: "KD-9", email })).toMatch(/^cus_/);
  });

  it("leaves other customers who share the address alone", async () => {
    const elder = await make({ name: "Elder", email: "family@example.com", reference: "E-1" });
    const younger = await make({ name: "Younger", email: "family@example.com", reference: "Y-1" });
    const theirs = await record({ reference: "Y-1", email: "family@example.com" });
    const unclear = await record({ email: "family@example.com" });
    const asked = await ask({ customer_id: younger });
    await erase(younger);
    const emailOf = async (id: string) =>
      (await world.runtime.db.read.select().from(transactions).where(eq(transactions.id, id)))[0]?.customer?.email;
    expect(await emailOf(theirs.transaction_id)).toBeNull();
    expect(await emailOf(unclear.transaction_id)).toBe("family@example.com");
    const own = await world.call(getPayment, org.member.actor, { payment_id: asked.payment_id });
    expect(own.customer).toMatchObject({ email: null });
    expect(await world.call(getCustomer, org.member.actor, { customer_id: elder })).toMatchObject({ name: "Elder" });
  });

  it("leaves the mails and transactions of a younger customer with the same address alone", async () => {
    const email = "billing@corp.example";
    const elder = await make({ name: "Shop A", email, reference: "SA-1" });
    const younger = await make({ name: "Shop B", email, reference: "SB-1" });
    const asked = await ask({ customer_id: younger }, { send: true });
    const named = await record({ customer_id: younger });
    const unclear = await record({ name: "Shop B", email });
    await unlink(unclear);
    const kept = async () => ({
      mails: await world.runtime.db.read.select().from(mails).where(eq(mails.paymentId, asked.payment_id)),
      transactions: await world.runtime.db.read
        .select()
        .from(transactions)
        .where(inArray(transactions.id, [named.transaction_id, unclear.transaction_id])),
    });
    const before = await kept();
    expect(before.mails).toHaveLength(1);
    await erase(elder);
    expect(await kept()).toEqual(before);
  });

  it("leaves mails about payment requests to other customers alone, also to the same address", async () => {
    const email = "accounting@corp.example";
    const theirs = await make({ name: "Shop C", email: "c@example.com", reference: "SC-1" });
    const asked = await ask({ reference: "SC-1", email }, { send: true });
    const gone = await make({ name: "Accountant", email });
    const sent = await world.runtime.db.read.select().from(mails).where(eq(mails.paymentId, asked.payment_id));
    await erase(gone);
    expect(sent).toHaveLength(1);
    expect(await world.runtime.db.read.select().from(mails).where(eq(mails.paymentId, asked.payment_id))).toEqual(sent);
    expect(asked.customer?.customer_id).toBe(theirs);
  });

  it("includes a transaction that was recorded for a name alone, and later ones of the same customer", async () => {
    const { customer_id } = await record({ name: "Nameonly" });
    await record({ customer_id: customer_id ?? "", metadata: { seat: "Nameonly" } });
    await erase(customer_id ?? "");
    expect(await tablesWith(["Nameonly"])).toEqual([]);
    const query = { customer_id: customer_id ?? "" };
    const { data } = await world.call(listTransactions, org.member.actor, query);
    const customer = { name: null, email: null, reference: null, metadata: {} };
    expect(data).toMatchObject([
      { customer_id, customer, amount: 300 },
      { customer_id, customer, amount: 300 },
    ]);
  });

  it.each([true, false])(
    "includes the refunds of a payment without a payment request (linked: %s)",
    async (isLinked) => {
      const email = `refunded-${isLinked}@example.com`;
      const gone = await make({ name: "Refunded", email });
      const paid = await record({ name: "Refunded", email });
      if (!isLinked) await unlink(paid);
      const refund = await world.call(
        createTransaction,
        org.member.actor,
        { type: "refund", parent_transaction_id: paid.transaction_id, amount: 100 },
        keyed(),
      );
      await erase(gone);
      const [row] = await world.runtime.db.read
        .select()
        .from(transactions)
        .where(eq(transactions.id, refund.transaction_id));
      expect(row?.customer).toMatchObject({ name: null, email: null });
    },
  );

  it("includes payment requests that have its address, but name no customer", async () => {
    const customer_id = await make({ name: "Unlinkedname", email: "unlinked@example.com" });
    const { payment_id } = await ask({ customer_id });
    await world.runtime.db.write((tx) =>
      tx.update(payments).set({ customerId: null }).where(eq(payments.id, payment_id)),
    );
    await erase(customer_id);
    expect(await tablesWith(["Unlinkedname", "unlinked@example.com"])).toEqual([]);
  });

  it("refuses one with a payment in progress or authorized, one that was merged, and one that is not seen", async () => {
    const customer_id = await make(personal);
    const held = await ask({ customer_id }, { capture_method: "manual" });
    await pay(held);
    expect(await refusalOf(erase(customer_id))).toBe("customer_in_use");
    const twin = await make({ name: "Twin" });
    await world.call(mergeCustomer, org.member.actor, { customer_id: twin, into_customer_id: customer_id });
    expect(await refusalOf(erase(twin))).toBe("customer_not_found");
    expect(await refusalOf(erase(customer_id))).toBe("customer_in_use");
    await captureRequest(world, org.member.actor, held.payment_id);
    const unseen = world.call(eraseCustomer, org.other.actor, { customer_id });
    expect(await refusalOf(unseen)).toBe("customer_not_found");
    expect(await erase(customer_id)).toMatchObject({ name: null });
    expect(await world.call(getCustomer, org.member.actor, { customer_id: twin })).toMatchObject({
      ...{ name: null, merged_into: customer_id, erased_at: expect.any(String) },
    });
  });

  it("repeats earlier responses with the customer as it is now, and makes nothing twice", async () => {
    const key = keyed();
    const create = () => world.call(createCustomer, org.member.actor, personal, key);
    const made = await create();
    const request = keyed();
    const again = () =>
      world.call(createPayment, org.member.actor, { ...product, customer: { email: personal.email } }, request);
    const asked = await again();
    const erased = await erase(made.customer_id);
    const { kept: _kept, ...tombstone } = erased;
    expect(await create()).toEqual(tombstone);
    const blank = { customer_id: made.customer_id, name: null, email: null, reference: null, metadata: {} };
    expect(await again()).toEqual({ ...asked, customer: blank });
  });
});

describe("an erasure at the same time", () => {
  it("as new payment requests to the customer leaves nothing of the old snapshots behind", async () => {
    for (const way of ["customer_id", "reference"] as const) {
      const customer_id = await make({ name: "Concurrentname", reference: `K-${way}` });
      const named = way === "customer_id" ? { customer_id } : { reference: `K-${way}`, name: "Concurrentname" };
      const asking = Array.from({ length: 6 }, () => ask(named).catch((error: unknown) => error));
      await Promise.all([...asking.slice(0, 3), erase(customer_id), ...asking.slice(3)]);
      const rows = await world.runtime.db.read.select().from(payments).where(eq(payments.customerId, customer_id));
      expect(rows.filter(({ customer }) => customer?.name !== null)).toEqual([]);
      if (way === "customer_id") expect(await tablesWith(["Concurrentname"])).toEqual([]);
    }
  });

  it("as a payment either waits for it or refuses it, and keeps no name", async () => {
    for (let round = 0; round < 4; round++) {
      const customer_id = await make({ name: "Payingname", email: "paying@example.com" });
      const asked = await ask({ customer_id });
      const [erased] = await Promise.allSettled([erase(customer_id), pay(asked)]);
      if (erased.status === "rejected") {
        expect(erased.reason).toMatchObject({ code: "customer_in_use" });
        await erase(customer_id);
      }
      expect(await tablesWith(["Payingname", "paying@example.com"])).toEqual([]);
    }
  });

  it("as a merge of the customer lets one of them win", async () => {
    for (let round = 0; round < 4; round++) {
      const [one, two] = [await make({ name: "Firstname" }), await make({ name: "Secondname" })];
      await ask({ customer_id: one });
      const input = { customer_id: one, into_customer_id: two };
      const [merged, erased] = await Promise.allSettled([
        world.call(mergeCustomer, org.member.actor, input),
        erase(one),
      ]);
      expect([merged, erased].filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      if (erased.status === "rejected") await erase(two);
      expect(await tablesWith(["Firstname"])).toEqual([]);
    }
  });

  it("as the same one is one erasure", async () => {
    const customer_id = await make(personal);
    const answers = await Promise.all(Array.from({ length: 4 }, () => erase(customer_id)));
    expect(new Set(answers.map(({ erased_at }) => erased_at)).size).toBe(1);
    const emitted = await world.runtime.db.read
      .select()
      .from(events)
      .where(eq(events.objectId, customer_id))
      .orderBy(events.sequence);
    expect(emitted.filter(({ type }) => type === "customer.erased")).toHaveLength(1);
  });
});

describe("the filters", () => {
  it("by the old address find nothing any more", async () => {
    const customer_id = await make(personal);
    await pay(await ask({ customer_id }));
    await erase(customer_id);
    const { email, reference } = personal;
    const listed = await world.call(listTransactions, org.member.actor, { customer_email: email });
    expect(listed.data).toEqual([]);
    for (const query of [{ customer_reference: reference }, { customer_metadata: { shoe: "size-forty-one" } }]) {
      expect((await world.call(listTransactions, org.member.actor, query)).data).toEqual([]);
    }
    const requests = await world.call(listPaymentRequests, org.member.actor, { customer_email: email });
    expect(requests.data).toEqual([]);
    expect((await world.call(listPaymentRequests, org.member.actor, { customer_id })).data).toHaveLength(1);
  });
});
