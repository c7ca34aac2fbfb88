// The export of payment requests: the same rows as the list, to the same callers, with columns for bookkeeping.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import { auditEntries, payments } from "@/db/tables";
import { invalidateSession } from "@/server/domains/sessions/operations/invalidate";
import type { Actor } from "@/server/kit/context";
import { refundRequest } from "@/test/merchant";
import { ask, payWith, tokenOf } from "@/test/payer";
import { callWith, newPerson } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { columnsByDefault, exportColumns } from "../export-columns";
import { payment } from "../schema";
import { cancelPayment } from "./cancel";
import { createPayment } from "./create";
import { exportPayments } from "./export";
import { listPaymentRequests } from "./list";
import { markPaid } from "./mark-paid";

let world: World;
let org: TestOrganization;
let elsewhere: TestOrganization;

type Query = z.input<typeof exportPayments.input>;

const start = (actor: Actor, query: Query = {}) => world.call(exportPayments, actor, query);

async function text(actor: Actor, query: Query = {}): Promise<string> {
  let whole = "";
  for await (const chunk of (await start(actor, query)).chunks) whole += chunk;
  return whole;
}

async function records(actor: Actor, query: Query = {}): Promise<unknown[]> {
  const lines = (await text(actor, { ...query, format: "ndjson" })).split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

const secrets = ["payment_url", "receipt_url", "pdf_url"];

const list = async (actor: Actor, query: z.input<typeof listPaymentRequests.input> = {}) =>
  (await world.call(listPaymentRequests, actor, { ...query, limit: 100 })).data;

beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  elsewhere = await world.organization();
  const { actor } = org.member;
  const paid = await ask(world, actor, { description: "=1+1", customer: { name: "Ada", email: "ada@example.com" } });
  await payWith(world, paid.token);
  await refundRequest(world, actor, paid.payment.payment_id);
  world.clock.advance(1_000);
  const due_at = "2026-12-31T23:30:00.000Z";
  const { payment: invoice } = await ask(world, actor, { type: "invoice", amount: 1_000, due_at, allow_partial: true });
  await world.call(markPaid, actor, { payment_id: invoice.payment_id, amount: 400 });
  world.clock.advance(1_000);
  const choice = { usage_limit: null, custom_amount: { minimum: 100, maximum: 9_000 } } as const;
  await world.call(createPayment, actor, { type: "product", currency: "JPY", description: "Gift", ...choice });
  await ask(world, org.other.actor, { currency: "USD" });
  await ask(world, elsewhere.member.actor);
});
afterAll(() => world.close());

describe("200", () => {
  it("has a column for every wire field, nested ones flattened or as JSON", () => {
    const nested = { customer: 5, last_error: 2 } as Record<string, number>;
    const names = Object.keys(payment.shape);
    for (const name of names) {
      if (nested[name] === undefined) expect(exportColumns).toContain(name);
      else expect(exportColumns.filter((column) => column.startsWith(`${name}_`))).toHaveLength(nested[name]);
    }
  });

  it.each<[string, Query]>([
    ["all", {}],
    ["a status", { status: ["refunded"] }],
    ["a type", { type: ["invoice"] }],
    ["what is open", { open: true }],
    ["words", { q: "ada" }],
    ["nothing", { currency: "chf" }],
  ])("of %s has the same rows as the list, for admins and members alike", async (_what, query) => {
    for (const { actor } of [org.admin, org.member, org.other, elsewhere.admin]) {
      const listed = (await list(actor, query as object)).map((row) => Object.entries(row));
      const withoutLinks = listed.map((row) => Object.fromEntries(row.filter(([name]) => !secrets.includes(name))));
      expect(await records(actor, query)).toEqual(withoutLinks);
    }
  });

  it("ends with columns for bookkeeping, and no text is a formula", async () => {
    const columns = [
      ...(["type", "amount_decimal", "paid_decimal", "refunded_decimal", "due_decimal", "currency"] as const),
      ...(["account_name", "customer_name", "customer_email", "description", "invoice_number", "due_date"] as const),
    ];
    const name = `Account ${org.member.id.slice(-4)}`;
    expect((await text(org.member.actor, { columns })).split("\r\n")).toEqual([
      columns.join(","),
      `product,,0,0,0,JPY,${name},,,Gift,,`,
      `invoice,10.00,4.00,0.00,6.00,EUR,${name},,,,2026-0001,2026-12-31`,
      `product,12.50,12.50,12.50,0.00,EUR,${name},Ada,ada@example.com,'=1+1,,`,
      "",
    ]);
    const german = await text(org.member.actor, { type: ["invoice"], columns, spreadsheet_locale: "de" });
    expect(german).toContain(`\r\ninvoice;10,00;4,00;0,00;6,00;EUR;${name};`);
    expect((await text(org.member.actor)).split("\r\n")[0]).toBe(columnsByDefault.join(","));
  });

  it("divides the amount into net and tax, by the line items", async () => {
    const { actor } = org.member;
    const lines = [
      { name: "Bread", quantity: 3, unit_amount: 333, tax_rate_bp: 700 },
      { name: "Book", quantity: 1, unit_amount: 1000, discount_amount: 100, tax_rate_bp: 1900 },
    ];
    const { payment } = await ask(world, actor, { type: "invoice", amount: null, line_items: lines });
    expect(payment.amount).toBe(999 + 70 + 900 + 171);
    const columns = ["payment_id", "net_decimal", "tax_decimal", "amount_decimal"] as const;
    const rows = (await text(actor, { type: ["invoice"], columns: [...columns] })).split("\r\n");
    expect(rows).toContain(`${payment.payment_id},18.99,2.41,21.40`);
    expect(rows.filter((row) => row.endsWith(",10.00,0.00,10.00"))).toHaveLength(1);
  });

  it("has no secret link unless its column is named", async () => {
    const { actor } = org.member;
    const { payment } = await ask(world, actor, { amount: 300 });
    const invoice = { type: "invoice", amount: 700, due_at: "2027-01-31" } as const;
    const { payment_id } = (await ask(world, actor, invoice)).payment;
    await world.call(cancelPayment, actor, { payment_id });
    const credited = (await list(actor)).find((row) => row.payment_id === payment_id);
    expect(credited?.credit_notes[0]?.pdf_url).toContain("/pay/");
    const secret = tokenOf(payment.payment_url);
    const whole = await text(org.member.actor);
    expect(whole).toContain(payment.payment_id);
    expect(whole).not.toContain("/pay/");
    expect(whole).not.toContain(secret);
    expect(await text(org.member.actor, { columns: ["payment_url"] })).toContain(secret);
    const lines = await text(actor, { format: "ndjson" });
    expect(lines).toContain(credited?.credit_notes[0]?.credit_note_number ?? "no number");
    expect(lines).not.toContain("/pay/");
    expect(lines).not.toContain(secret);
  });

  it("is named after its list and the period that it covers", async () => {
    const nameOf = async (query: Query) => {
      const download = await start(org.member.actor, query);
      download.close();
      return download.file.fileName;
    };
    const month = { created_from: "2026-10-01T00:00:00Z", created_to: "2026-11-01T00:00:00Z" };
    expect(await nameOf(month)).toBe("payment-requests-2026-10.csv");
    expect(await nameOf({ ...month, type: ["invoice"], format: "ndjson" })).toBe("invoices-2026-10.ndjson");
    expect(await nameOf({ type: ["invoice", "product"] })).toMatch(/^payment-requests-2026-11-\d\d\.csv$/);
  });

  it("says that nothing is due where nobody is asked to pay", async () => {
    const { admin, member } = await world.organization();
    const open = (await ask(world, member.actor, { amount: 300 })).payment;
    const canceled = (await ask(world, member.actor, { amount: 200 })).payment;
    await ask(world, member.actor, { amount: 100, draft: true });
    await world.call(cancelPayment, member.actor, { payment_id: canceled.payment_id });
    const columns = ["amount" as const, "amount_due" as const, "due_decimal" as const];
    const rows = (await text(admin.actor, { columns })).split("\r\n").slice(1, -1);
    expect(rows.sort()).toEqual(["100,100,0.00", "200,0,0.00", `${open.amount},300,3.00`]);
  });

  it("loses and repeats nothing between its parts", async () => {
    const person = await newPerson(world, org.admin.actor);
    const { payment: one } = await ask(world, org.admin.actor, { account_id: person.accountId });
    const { db } = world.runtime;
    const [row] = await db.read.select().from(payments).where(eq(payments.id, one.payment_id));
    if (!row) throw new Error("The payment request is missing.");
    const copies = Array.from({ length: 250 }, (_, i) => ({
      ...row,
      ...{ id: world.id("pay"), linkHash: `copy-${i}`, createdAt: row.createdAt - 1 - Math.floor(i / 40) },
    }));
    await db.write(async (tx) => {
      for (let i = 0; i < copies.length; i += 50) await tx.insert(payments).values(copies.slice(i, i + 50));
    });
    const found = (await records(person.actor)) as { payment_id: string }[];
    expect(found).toHaveLength(251);
    expect(new Set(found.map(({ payment_id }) => payment_id)).size).toBe(251);

    const { chunks } = await callWith(world, exportPayments, person.accessToken, { format: "ndjson" });
    const iterator = chunks[Symbol.asyncIterator]();
    await iterator.next();
    await callWith(world, invalidateSession, person.accessToken, {});
    await expect(iterator.next()).rejects.toThrow("no longer allowed");
  });

  it("writes one audit entry with the parameters' names", async () => {
    const requestId = "req_payments_export";
    const file = await world.call(exportPayments, elsewhere.admin.actor, { q: "secret" }, { requestId });
    file.close();
    expect([file.file.contentType, file.file.fileName]).toEqual([
      ...["text/csv; charset=utf-8", "payment-requests-2026-11-20.csv"],
    ]);
    const { read } = world.runtime.db;
    const entries = await read.select().from(auditEntries).where(eq(auditEntries.requestId, requestId));
    expect(entries).toMatchObject([
      { operation: "payments.export", actorId: elsewhere.admin.id, detail: { parameters: ["q", "format"] } },
    ]);
  });
});

describe("400", () => {
  it.each<[string, Query]>([
    ["account_not_found", { account_id: "acct_00000000000000000000000000" }],
    ["customer_not_found", { customer_id: "cus_00000000000000000000000000" }],
    ["selection_changed", { expected_count: 99 }],
    ["invalid_request", { format: "ndjson", columns: ["amount"] }],
    ["invalid_request", { format: "ndjson", spreadsheet_locale: "de" }],
  ])("%s", async (code, query) => {
    expect(await refusalOf(start(org.member.actor, query))).toBe(code);
    expect(world.runtime.downloads.count).toBe(0);
  });

  it("account_not_found for another organization's account", async () => {
    const query = { account_id: org.member.accountId };
    expect(await refusalOf(start(elsewhere.admin.actor, query))).toBe("account_not_found");
  });
});
