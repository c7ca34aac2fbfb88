// Invoices get their number when they become final: which one, without gaps, and what is frozen with it.
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { invoiceSeries, invoices } from "@/db/tables";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { findAccount } from "@/server/domains/accounts/store";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import { Failure } from "@/server/kit/errors";
import { apiKey, callWith } from "@/test/people";
import { moveClock } from "@/test/sandbox-clock";
import { anotherProcess, openWorld, type TestOrganization, type World } from "@/test/world";
import { createPayment } from "../operations/create";
import { duplicatePayment } from "../operations/duplicate";
import { finalizePayment } from "../operations/finalize";
import { listPaymentRequests } from "../operations/list";
import { updatePaymentRequest } from "../operations/update";
import { readPayment } from "../store";
import { issueInvoice } from "./issue";
import { invoiceOf } from "./store";

let world: World;
/** Calls come from two processes if the engine supports several. */
let processes: World[];
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  processes = dialect === "postgres" ? [world, await anotherProcess(world)] : [world];
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(async () => {
  for (const one of processes.toReversed()) await one.close();
});

const minimal = { type: "invoice", amount: 1250, currency: "EUR" } as const;
const create = (input: object = {}, from: World = world) =>
  from.call(createPayment, acme.member.actor, { ...minimal, ...input } as never);
const finalize = (payment_id: string, from: World = world) =>
  from.call(finalizePayment, acme.member.actor, { payment_id });
const patch = (payment_id: string, changes: object) =>
  world.call(updatePaymentRequest, acme.member.actor, { payment_id, ...changes } as never);
const prefer = (preferences: object) =>
  world.call(updateAccount, acme.member.actor, { account_id: acme.member.accountId, preferences } as never);
const recordOf = async (id: string) => (await invoiceOf(world.runtime.db.read, id))?.record;
const sequences = async () => {
  const { read } = world.runtime.db;
  const rows = await read.select().from(invoices).where(eq(invoices.accountId, acme.member.accountId));
  return rows.map(({ sequence }) => sequence).sort((a, b) => a - b);
};

/** What the call's refusal says. */
const faultOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof Failure ? `${error.code}: ${error.message}` : Promise.reject(error)),
  );

describe("the number", () => {
  it("is the prefix, the year and a number from 1, for invoices that are final", async () => {
    await prefer({ invoice: { number_prefix: "INV-" } });
    expect((await create({ type: "product" })).invoice_number).toBeNull();
    expect((await create()).invoice_number).toBe("INV-2026-0001");
    const draft = await create({ draft: true });
    expect(draft.invoice_number).toBeNull();
    expect((await create()).invoice_number).toBe("INV-2026-0002");
    expect((await finalize(draft.payment_id)).invoice_number).toBe("INV-2026-0003");
  });

  it("goes on after another prefix, and begins anew in another account", async () => {
    expect((await create()).invoice_number).toBe("2026-0001");
    await prefer({ invoice: { number_prefix: "A/" } });
    expect((await create()).invoice_number).toBe("A/2026-0002");
    const others = await world.call(createPayment, acme.other.actor, minimal as never);
    expect(others.invoice_number).toBe("2026-0001");
  });

  it("has the year of the account's time zone and of the organization's clock, and begins anew with it", async () => {
    await moveClock(world, acme.admin.actor, "P41DT11H30M");
    expect((await create()).invoice_number).toBe("2026-0001");
    await prefer({ timezone: "Europe/Vienna" });
    expect(await create()).toMatchObject({ invoice_number: "2027-0001", invoice: { issue_date: "2027-01-01" } });
    expect((await create()).invoice_number).toBe("2027-0002");
  });

  it("has more digits than four where it needs them", async () => {
    const { accountId } = acme.member;
    await world.runtime.db.write((tx) =>
      tx
        .insert(invoiceSeries)
        .values({ accountId, livemode: false, year: 2026, lastNumber: 9_999, lastIssueDate: "2026-01-01" }),
    );
    expect((await create()).invoice_number).toBe("2026-10000");
  });

  it("is found by the search of payment requests", async () => {
    await prefer({ invoice: { number_prefix: "ZETA-" } });
    const { payment_id } = await create();
    const found = await world.call(listPaymentRequests, acme.member.actor, { q: "zeta" } as never);
    expect(found.data.map((one) => one.payment_id)).toEqual([payment_id]);
  });
});

describe("an invoice is refused", () => {
  it("if it says nothing about its customer, as if that one had been erased", async () => {
    const person = { account_id: acme.member.accountId, name: "Grace", tax_id: "DE1" };
    const { customer_id } = await world.call(createCustomer, acme.member.actor, person as never);
    const customer = { customer_id, name: null };
    const draft = await create({ draft: true, customer });
    for (const call of [() => create({ customer }), () => finalize(draft.payment_id)]) {
      expect(await faultOf(call())).toContain("customer: an invoice to a customer states its name");
    }
    expect(await create({ customer: { ...customer, reference: "C-9" } })).toMatchObject({
      ...{ invoice_number: "2026-0001", pdf_url: expect.any(String) },
    });
    expect((await create({ customer: {} })).pdf_url).not.toBe(null);
    expect((await create({ type: "product", customer })).customer?.customer_id).toBe(customer_id);
  });
});

describe("no gaps", () => {
  it("remain when fifty become final at once and half of them are rolled back", async () => {
    const drafts = await Promise.all(Array.from({ length: 50 }, () => create({ draft: true })));
    const outcomes = await Promise.all(
      drafts.map(({ payment_id }, at) => {
        const from = processes[at % processes.length] ?? world;
        return at % 2 === 0 ? faultOf(finalize(payment_id, from)) : rolledBack(from, payment_id);
      }),
    );
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(25);
    expect(outcomes.filter((outcome) => outcome === "rolled back")).toHaveLength(25);
    expect(await sequences()).toEqual(Array.from({ length: 25 }, (_, at) => at + 1));
    expect((await create()).invoice_number).toBe("2026-0026");
  });

  it("remain when each draft is finalized twice at once: it gets one number", async () => {
    const drafts = await Promise.all(Array.from({ length: 10 }, () => create({ draft: true })));
    const calls = drafts.flatMap(({ payment_id }, at) =>
      [at, at + 1].map((one) => finalize(payment_id, processes[one % processes.length])),
    );
    const ends = await Promise.allSettled(calls);
    const refused = ends.flatMap((end) => (end.status === "rejected" ? [(end.reason as Failure).code] : []));
    expect(refused).toEqual(Array.from({ length: 10 }, () => "not_a_draft"));
    expect(await sequences()).toEqual(Array.from({ length: 10 }, (_, at) => at + 1));
  });

  it("remain whatever is refused, rolled back or done, in any order", async () => {
    const acts = fc.array(fc.constantFrom("create", "refuse", "roll back", "finalize"), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(acts, async (names) => {
        acme = await world.organization();
        const draftsOf = names.map((name) => (name === "create" || name === "refuse" ? null : create({ draft: true })));
        const drafts = await Promise.all(draftsOf);
        await Promise.all(
          names.map((name, at) => {
            const [from, id] = [processes[at % processes.length] ?? world, drafts[at]?.payment_id ?? ""];
            if (name === "create") return create({}, from);
            if (name === "refuse") return faultOf(create({ send: true, customer: { name: "Nobody" } }, from));
            return name === "finalize" ? finalize(id, from) : rolledBack(from, id);
          }),
        );
        const done = names.filter((name) => name === "create" || name === "finalize").length;
        expect(await sequences()).toEqual(Array.from({ length: done }, (_, at) => at + 1));
      }),
      { numRuns: 15 },
    );
  });
});

/** Takes a number for the draft in a transaction that fails afterwards. */
async function rolledBack(from: World, id: string): Promise<string> {
  const { db } = from.runtime;
  const scope = { organizationId: acme.id, ownerUserId: null, accountId: null };
  try {
    await db.write(async (tx) => {
      const [row, account] = [await readPayment(tx, id), await findAccount(tx, scope, acme.member.accountId)];
      if (!row || !account) throw new Error("Unknown.");
      const ctx = { db: tx, now: world.clock.now() } as never;
      await issueInvoice(ctx, account, row, "UTC", (code) => {
        throw new Error(code);
      });
      throw new Error("rolled back");
    });
    return "done";
  } catch (error) {
    return (error as Error).message;
  }
}

describe("dates", () => {
  it("default to the day of the number, and are kept", async () => {
    const terms = { service_from: "2026-10-01", service_to: "2026-10-31", purchase_order: "PO-1", notes: "Hi" };
    const { invoice } = await create({ invoice: { ...terms, terms: "14 days net" } });
    expect(invoice).toEqual({ issue_date: "2026-11-20", ...terms, terms: "14 days net" });
    expect((await create()).invoice).toMatchObject({ issue_date: "2026-11-20", notes: null });
  });

  it("ascend with the numbers", async () => {
    await create({ invoice: { issue_date: "2026-11-15" } });
    const call = create({ invoice: { issue_date: "2026-11-14" } });
    expect(await faultOf(call)).toMatch("invoice.issue_date: must not be before 2026-11-15");
    expect((await create({ invoice: { issue_date: "2026-11-15" } })).invoice?.issue_date).toBe("2026-11-15");
    expect((await create()).invoice?.issue_date).toBe("2026-11-20");
    expect(await sequences()).toEqual([1, 2, 3]);
  });

  it("ascend with the numbers, and so do the years, when the account moves to another time zone at New Year", async () => {
    await moveClock(world, acme.admin.actor, "P41DT11H30M");
    await prefer({ timezone: "Europe/Vienna" });
    expect((await create()).invoice_number).toBe("2027-0001");
    await prefer({ timezone: "America/New_York" });
    const dated = (issue_date: string) => create({ invoice: { issue_date } });
    expect(await faultOf(dated("2026-12-31"))).toContain("must not be before 2027-01-01");
    expect(await faultOf(dated("2027-01-01"))).toContain("must not be in the future");
    expect(await create()).toMatchObject({ invoice_number: "2027-0002", invoice: { issue_date: "2027-01-01" } });
  });

  it.each([
    [{ invoice: { issue_date: "2025-11-18" } }, "invoice.issue_date: must be at most 366 days ago"],
    [{ invoice: { issue_date: "2026-11-21" } }, "invoice.issue_date: must not be in the future"],
    [{ invoice: { service_from: "2026-11-02", service_to: "2026-11-01" } }, "must not be before service_from"],
    [{ invoice: { service_to: "2036-12-01" } }, "invoice.service_to: must be at most 3660 days"],
    [{ invoice: { service_from: "2016-11-01" } }, "invoice.service_from: must be at most 3660 days"],
    [{ invoice: { issue_date: "2026-11-20" }, due_at: "2026-11-19" }, "issue_date: must not be after due_at"],
    [{ invoice: { issue_date: "2026-02-30" } }, "must be an ISO 8601 date"],
    [{ invoice: { issue_date: "2026-11-20T10:00:00Z" } }, "must be an ISO 8601 date"],
    [{ invoice: { purchase_order: "x".repeat(81) } }, "invoice.purchase_order"],
    [{ invoice: { notes: "x".repeat(1_001) } }, "invoice.notes"],
    [{ invoice: { terms: "x".repeat(1_001) } }, "invoice.terms"],
    [{ invoice: { number: "7" } }, "invoice"],
    [{ type: "product", invoice: { notes: "Hi" } }, "invoice: is only for type invoice"],
  ])("are refused: %j", async (input, fault) => {
    expect(await faultOf(create(input))).toContain(fault);
    expect(await faultOf(create({ ...input, draft: true }))).toContain(fault);
  });

  it("end with a due date on the day of issue or later, once the invoice is final", async () => {
    expect(await faultOf(create({ due_at: "2026-11-19" }))).toContain(
      "due_at: must not be before 2026-11-20, the issue date",
    );
    const installments = [
      { amount: 250, due_at: "2026-11-19" },
      { amount: 1_000, due_at: "2026-12-01" },
    ];
    expect(await faultOf(create({ installments }))).toContain("installments[0].due_at: must not be before 2026-11-20");
    const { payment_id } = await create({ draft: true, due_at: "2026-11-19" });
    expect(await faultOf(finalize(payment_id))).toContain("due_at: must not be before 2026-11-20");
    await patch(payment_id, { due_at: "2026-11-20" });
    expect(await finalize(payment_id)).toMatchObject({ status: "pending" });
    expect(await create({ due_at: "2026-11-20" })).toMatchObject({ invoice: { issue_date: "2026-11-20" } });
  });

  it("do not let it expire before it is due", async () => {
    const fault = "expires_at: must not be before due_at, 2026-12-01T";
    const late = { due_at: "2026-12-01", expires_at: "2026-11-25T00:00:00Z" };
    expect(await faultOf(create(late))).toContain(fault);
    expect(await faultOf(create({ ...late, draft: true }))).toContain(fault);
    const { payment_id } = await create({ due_at: "2026-12-01", expires_at: "2026-12-05T00:00:00Z" });
    expect(await faultOf(patch(payment_id, { expires_at: late.expires_at }))).toContain(fault);
    expect(await faultOf(patch(payment_id, { due_at: "2026-12-24" }))).toContain(
      "must not be before due_at, 2026-12-2",
    );
    expect(await patch(payment_id, { due_at: "2026-12-24", expires_at: null })).toMatchObject({ expires_at: null });
  });

  it("are checked when a draft changes and when it becomes final, and stay afterwards", async () => {
    const { payment_id } = await create({ draft: true, invoice: { issue_date: "2026-11-18" } });
    expect(await faultOf(patch(payment_id, { due_at: "2026-11-17" }))).toContain("must not be after due_at");
    await create();
    expect(await faultOf(finalize(payment_id))).toContain("must not be before 2026-11-20");
    await patch(payment_id, { invoice: { notes: "Now" } });
    expect((await finalize(payment_id)).invoice).toMatchObject({ issue_date: "2026-11-20", notes: "Now" });
    expect(await faultOf(patch(payment_id, { invoice: { notes: "Later" } }))).toMatch("payment_not_updatable: invoice");
    const copy = await world.call(duplicatePayment, acme.member.actor, { payment_id });
    expect(copy).toMatchObject({ invoice_number: null, invoice: { issue_date: null, notes: "Now" } });
  });
});

describe("what is frozen", () => {
  const lines = [
    { name: "Cake", quantity: 3, unit_amount: 1_000, tax_rate_bp: 1_900, discount_amount: 500 },
    { name: "Bread", quantity: 1, unit_amount: 333, tax_rate_bp: 700 },
    { name: "Voucher", quantity: 1, unit_amount: 100 },
    { name: "Export", quantity: 1, unit_amount: 50, tax_rate_bp: 0 },
  ];

  it("says who sells and buys what, with the tax of each rate", async () => {
    const address = {
      line1: "Graben 1",
      line2: null,
      postal_code: "1010",
      city: "Vienna",
      region: null,
      country: "AT",
    };
    await prefer({ invoice: { legal_name: "Bakery GmbH", address, tax_id: "ATU1", footer: "Thanks" } });
    const account_id = acme.member.accountId;
    const person = { account_id, name: "Grace", reference: "C-9", tax_id: "DE1", address };
    const { customer_id } = await world.call(createCustomer, acme.member.actor, person as never);
    const { payment_id } = await create({
      ...{ amount: undefined, line_items: lines, customer: { customer_id }, due_at: "2026-12-01" },
      invoice: { purchase_order: "PO", terms: "Net" },
    });
    const record = await recordOf(payment_id);
    expect(record).toMatchObject({
      ...{ number: "2026-0001", issue_date: "2026-11-20", due_date: "2026-12-01", currency: "EUR" },
      seller: { name: "Bakery GmbH", vat_identifier: "ATU1", address, email: acme.member.email },
      buyer: { name: "Grace", identifier: "C-9", vat_identifier: "DE1", address },
      ...{ footer: "Thanks", purchase_order_reference: "PO", payment_terms: "Net" },
      taxes: [
        { vat_rate_bp: null, vat_category_code: null, taxable_amount: 100, tax_amount: 0 },
        { vat_rate_bp: 0, vat_category_code: "Z", taxable_amount: 50, tax_amount: 0 },
        { vat_rate_bp: 700, vat_category_code: "S", taxable_amount: 333, tax_amount: 23 },
        { vat_rate_bp: 1_900, vat_category_code: "S", taxable_amount: 2_500, tax_amount: 475 },
      ],
      ...{ net_amount: 2_983, tax_amount: 498, gross_amount: 3_481 },
    });
    expect(record?.lines[0]).toEqual({
      ...{ identifier: 1, item_name: "Cake", quantity: 3, item_net_price: 1_000, allowance_amount: 500 },
      ...{ net_amount: 2_500, vat_rate_bp: 1_900, vat_category_code: "S", unit_code: "C62" },
    });
    await prefer({ invoice: { legal_name: "Other", address: null, footer: null } });
    await world.call(updateCustomerFields, acme.member.actor, { customer_id, name: "Somebody", tax_id: null } as never);
    await patch(payment_id, { description: "Changed" });
    const readdressed = patch(payment_id, { customer: { name: "Else" } });
    expect(await faultOf(readdressed)).toMatch("payment_not_updatable: customer: the invoice 2026-0001");
    expect(await faultOf(patch(payment_id, { customer: null }))).toMatch("payment_not_updatable");
    expect(await recordOf(payment_id)).toEqual(record);
  });

  it("says what the whole is for before the notes, unless a line says so", async () => {
    const noteOf = async (input: object) => (await recordOf((await create(input)).payment_id))?.note;
    const some = { amount: undefined, line_items: lines };
    const invoice = { notes: "Thanks" };
    expect(await noteOf({ ...some, description: "Party" })).toBe("Party");
    expect(await noteOf({ ...some, description: "Party", invoice })).toBe("Party\n\nThanks");
    expect(await noteOf({ ...some, description: "Cake" })).toBeNull();
    expect(await noteOf({ ...some, description: "Wedding 🎂", invoice })).toBe("Thanks");
    expect(await noteOf({ description: "Party", invoice })).toBe("Thanks");
  });

  it("has one line for the whole amount without line items", async () => {
    const { payment_id } = await create({ description: "Catering" });
    expect(await recordOf(payment_id)).toMatchObject({
      lines: [{ item_name: "Catering", quantity: 1, net_amount: 1_250, vat_rate_bp: null }],
      taxes: [{ vat_rate_bp: null, taxable_amount: 1_250, tax_amount: 0 }],
      ...{ net_amount: 1_250, tax_amount: 0, gross_amount: 1_250, buyer: null },
    });
  });
});

describe("the buyer", () => {
  const address = { line1: "Graben 1", line2: null, postal_code: "1010", city: "Vienna", region: null, country: "AT" };
  const known = async (more: object = {}) => {
    const person = {
      account_id: acme.member.accountId,
      name: "Grace",
      email: "grace@example.com",
      tax_id: "DE1",
      address,
    };
    return world.call(createCustomer, acme.member.actor, { ...person, ...more } as never);
  };
  const buyerOf = async (id: string) => (await recordOf(id))?.buyer;

  it("is the customer with address and tax number, by its id or its e-mail address", async () => {
    const { customer_id } = await known();
    const whole = { name: "Grace", vat_identifier: "DE1", address, email: "grace@example.com" };
    expect(await buyerOf((await create({ customer: { customer_id } })).payment_id)).toMatchObject(whole);
    const found = await create({ customer: { email: "grace@example.com" } });
    expect(await buyerOf(found.payment_id)).toMatchObject(whole);
  });

  it("is never made of two: another name has neither the customer's address nor its tax number", async () => {
    const { customer_id } = await known();
    for (const customer of [
      { customer_id, name: "Ada" },
      { email: "grace@example.com", name: "Ada" },
    ]) {
      const { payment_id } = await create({ customer });
      expect(await buyerOf(payment_id)).toMatchObject({ name: "Ada", vat_identifier: null, address: null });
    }
  });

  it("tells an API key that may not read customers nothing that it did not give", async () => {
    await known();
    const key = await apiKey(world, acme.id, ["payments:write", "payments:read"], { accountId: acme.member.accountId });
    const input = { ...minimal, account_id: acme.member.accountId, customer: { email: "grace@example.com" } };
    const make = (more: object) => callWith(world, createPayment, key.token, { ...input, ...more } as never);
    const blank = { name: null, vat_identifier: null, address: null, email: "grace@example.com" };
    const { payment_id } = await make({});
    expect(await buyerOf(payment_id)).toMatchObject(blank);
    const draft = await callWith(world, duplicatePayment, key.token, { payment_id } as never);
    await callWith(world, finalizePayment, key.token, { payment_id: draft.payment_id } as never);
    expect(await buyerOf(draft.payment_id)).toMatchObject(blank);
  });
});

it("installments are frozen with their dates", async () => {
  await prefer({ timezone: "Europe/Vienna" });
  const installments = [
    { amount: 1_000, due_at: "2026-12-01" },
    { amount: 250, due_at: "2027-01-01" },
  ];
  const { payment_id } = await create({ installments });
  const frozen = [
    { due_date: "2026-12-01", amount: 1_000 },
    { due_date: "2027-01-01", amount: 250 },
  ];
  expect(await recordOf(payment_id)).toMatchObject({ due_date: null, installments: frozen });
});

it("a draft names the character that its file would lack", async () => {
  await prefer({ invoice: { footer: "\u66f8" } });
  expect(await create({ draft: true })).toMatchObject({ pdf_problem: "\u66f8", invoice_number: null });
});

describe("the account's settings", () => {
  it("merge, clear, and refuse what cannot be", async () => {
    const { preferences } = await prefer({ invoice: { number_prefix: "A-", address: { city: "Vienna" } } });
    expect(preferences.invoice).toMatchObject({ number_prefix: "A-", address: { city: "Vienna" }, footer: null });
    const next = await prefer({ invoice: { footer: "Bye", address: { country: "at" } } });
    expect(next.preferences.invoice).toMatchObject({ number_prefix: "A-", address: { city: "Vienna", country: "AT" } });
    expect((await prefer({ invoice: null })).preferences.invoice).toMatchObject({ number_prefix: null, address: null });
  });

  it.each([
    [{ number_prefix: "A B" }, "must not contain spaces"],
    [{ number_prefix: "A*" }, "letters A to Z, a to z, digits"],
    [{ number_prefix: "CN-" }, "must not end in CN-"],
    [{ number_prefix: "X-cn-" }, "must not end in CN-"],
    [{ number_prefix: "x".repeat(21) }, "number_prefix"],
    [{ legal_name: "x".repeat(201) }, "legal_name"],
    [{ legal_name: "Bakery\nGmbH" }, "must be one line"],
    [{ tax_id: "x".repeat(41) }, "tax_id"],
    [{ footer: "x".repeat(501) }, "footer"],
    [{ address: { country: "Austria" } }, "alpha-2"],
  ])("refuse %j", async (invoice, fault) => {
    expect(await faultOf(prefer({ invoice }))).toContain(fault);
  });
});
