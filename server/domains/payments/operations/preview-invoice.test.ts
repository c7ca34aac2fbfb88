// The preview of an invoice says what the invoice says that gets its number next, and stores nothing.
import { afterAll, beforeAll, expect, it } from "vitest";
import { customers, invoiceSeries, invoices, payments } from "@/db/tables";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import type { Actor } from "@/server/kit/context";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { createPayment } from "./create";
import { readIssuedInvoice } from "./invoice";
import { previewInvoice } from "./preview";

let world: World;
let org: TestOrganization;
let actor: Actor;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  actor = org.member.actor;
});
afterAll(() => world.close());

type Shown = Parameters<typeof world.call<typeof previewInvoice.input, typeof previewInvoice.output>>[2];
const base = { type: "invoice", currency: "EUR" } as const;
const preview = (content: object, as = actor) =>
  world.call(previewInvoice, as, { account_id: org.member.accountId, ...base, ...content } as Shown);
const line = { name: "Bread", quantity: 3, unit_amount: 450, tax_rate_bp: 1000, discount_amount: 50 };
const rolls = { name: "Rolls", quantity: 1, unit_amount: 99, tax_rate_bp: 700 };
const address = { line1: "1 Harbour St", city: "Hamburg", postal_code: "20457", country: "DE" };

it.each<[string, () => object]>([
  ["an amount", () => ({ amount: 1250, description: "Wedding cake", locale: "de" })],
  ["lines with taxes, and a due date", () => ({ line_items: [line, rolls], due_at: "2030-01-31" })],
  ["yen", () => ({ currency: "JPY", amount: 999_999_999_999 })],
  ["terms", () => ({ amount: 5, invoice: { purchase_order: "PO-1", notes: "Thanks", terms: "14 days net" } })],
  ["somebody new", () => ({ amount: 5, customer: { name: "Ada Lovelace", email: "new@example.com" } })],
  ["installments", () => ({ amount: 900, installments: ["2030-01-31", "2030-02-28"].map(halfOf) })],
])("shows %s as the invoice does", async (_, content) => {
  await expectSame(content());
});

const halfOf = (due_at: string, at: number) => ({ amount: at === 0 ? 400 : 500, due_at });

/** The preview says what the invoice says that is then made of the same content, but for the number. */
async function expectSame(content: object, as = actor) {
  const seen = await preview(content, as);
  const input = { account_id: org.member.accountId, ...base, ...content } as never;
  const { payment_id } = await world.call(createPayment, as, input);
  const issued = await world.call(readIssuedInvoice, as, { payment_id });
  expect(seen.record).toEqual({ ...issued.record, number: "" });
  expect(seen).toEqual({ ...issued, record: seen.record, issued_at: seen.issued_at });
  return seen.record;
}

it("has the seller's details, and those of a customer who is known by e-mail address, reference or id", async () => {
  const account_id = org.member.accountId;
  const invoice = { legal_name: "Bakery GmbH", tax_id: "DE123", address, number_prefix: "B-", footer: "HRB 7" };
  await world.call(updateAccount, actor, { account_id, preferences: { invoice } } as never);
  const known = { name: "Grace Hopper", email: "grace@example.com", reference: "C-7" };
  const { customer_id } = await world.call(createCustomer, actor, { account_id, ...known, address, tax_id: "IE9" });
  for (const customer of [{ email: known.email }, { reference: "C-7" }, { customer_id }]) {
    const { seller, buyer, footer } = await expectSame({ amount: 100, customer });
    expect({ seller, buyer, footer }).toMatchObject({
      seller: { name: "Bakery GmbH", vat_identifier: "DE123" },
      buyer: { name: "Grace Hopper", vat_identifier: "IE9", address: { city: "Hamburg" } },
      footer: "HRB 7",
    });
  }
  // Another name is somebody else's.
  const other = await expectSame({ amount: 100, customer: { name: "Ada", email: known.email } });
  expect(other.buyer).toMatchObject({ name: "Ada", address: null, vat_identifier: null });
  await world.call(updateCustomerFields, actor, { customer_id, address: { ...address, city: "Kiel" } });
  expect((await preview({ amount: 100, customer: { customer_id } })).record.buyer?.address?.city).toBe("Kiel");
});

it("takes no number, and stores nothing", async () => {
  const { read } = world.runtime.db;
  const stored = async () =>
    Promise.all([payments, invoices, customers].map((table) => read.$count(table))).then(async (counts) => ({
      counts,
      series: await read.select().from(invoiceSeries),
    }));
  const before = await stored();
  const seen = await preview({ customer: { name: "Nobody", email: "nobody@example.com" } });
  expect(seen.record).toMatchObject({ number: "", gross_amount: 0, buyer: { name: "Nobody" } });
  expect(seen.record.issue_date).toBe(new Date(world.clock.now()).toISOString().slice(0, 10));
  expect(await stored()).toEqual(before);
});

it("refuses accounts that the caller does not see, other types, and wrong terms", async () => {
  const stranger = await world.organization();
  const account_id = stranger.member.accountId;
  const others = await world.call(createCustomer, stranger.member.actor, {
    ...{ account_id, name: "Secret", email: "secret@example.com", address },
  });
  expect(await refusalOf(preview({ account_id, amount: 5 }))).toBe("account_not_found");
  expect(await refusalOf(preview({ type: "product", amount: 5 }))).toBe("invalid_request");
  expect(await refusalOf(preview({ line_items: [line], amount: 1 }))).toBe("amount_mismatch");
  expect(await refusalOf(preview({ amount: 5, invoice: { notes: "x".repeat(5000) } }))).toBe("invalid_request");
  const foreign = await preview({ amount: 5, customer: { customer_id: others.customer_id } });
  expect(foreign.record.buyer).toMatchObject({ name: null, address: null });
});
