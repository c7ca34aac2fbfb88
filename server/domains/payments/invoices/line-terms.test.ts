// Tax categories, reasons for exemptions and units of line items: which are refused, who carries them, what is frozen.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askHosted } from "@/test/hosted";
import { payUse } from "@/test/link-payer";
import { expectSoundLedger } from "@/test/money";
import { ask, payWith, type RequestFields, tokenOf } from "@/test/payer";
import { textOfPdf } from "@/test/pdf";
import { moveClock } from "@/test/sandbox-clock";
import { cyclesOf, subscribe } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { createPayment } from "../operations/create";
import { duplicatePayment } from "../operations/duplicate";
import { finalizePayment } from "../operations/finalize";
import { getPayment } from "../operations/get";
import { refundPayment } from "../operations/refund";
import { updatePaymentRequest } from "../operations/update";
import { creditNotesOfOne } from "./credit-note-store";
import { invoiceOf } from "./store";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  world.clock.advance(1000);
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const actor = () => acme.member.actor;
const course = {
  ...{ name: "Course", quantity: 12, unit: "HUR", unit_amount: 4_000, tax_rate_bp: 0 },
  ...{ tax_category: "E" as const, tax_exemption_reason: "Art. 132 of Directive 2006/112/EC" },
};
const lines = [
  { name: "Book", quantity: 2, unit_amount: 1_000, tax_rate_bp: 700 },
  course,
  { ...course, name: "Exam", quantity: 1, unit: "C62", tax_exemption_reason: "Exam fee" },
  { name: "Advice", quantity: 3, unit: "XKX", unit_amount: 100, tax_rate_bp: 0, tax_category: "AE" as const },
  { name: "Flour", quantity: 50, unit: "KGM", unit_amount: 10, tax_rate_bp: 0 },
];
const taxes = [
  { vat_rate_bp: 0, vat_category_code: "E", taxable_amount: 52_000 },
  { vat_rate_bp: 0, vat_category_code: "AE", vat_exemption_reason: null, taxable_amount: 300 },
  { vat_rate_bp: 0, vat_category_code: "Z", vat_exemption_reason: null, taxable_amount: 500 },
  { vat_rate_bp: 700, vat_category_code: "S", vat_exemption_reason: null, taxable_amount: 2_000, tax_amount: 140 },
];
const amount = 54_940;
const fields = { amount: undefined, line_items: lines } as RequestFields;
const invoice = (more: RequestFields = {}) => ask(world, actor(), { type: "invoice", ...fields, ...more });
const recordOf = async (id: string) => (await invoiceOf(world.runtime.db.read, id))?.record;
const termsOf = (items: readonly { tax_category: unknown; tax_exemption_reason: unknown; unit: unknown }[]) =>
  items.map(({ tax_category, tax_exemption_reason, unit }) => [tax_category, tax_exemption_reason, unit]);
const terms = [
  [null, null, null],
  ["E", course.tax_exemption_reason, "HUR"],
  ["E", "Exam fee", "C62"],
  ["AE", null, "XKX"],
  [null, null, "KGM"],
];

describe("contradictions are refused", () => {
  const line = { name: "Cake", quantity: 1, unit_amount: 500 };
  const outside = { ...line, tax_category: "O" };
  it.each([
    ["S without a rate", [{ ...line, tax_category: "S" }], "[0].tax_rate_bp: must be above 0"],
    ["S with the rate 0", [{ ...line, tax_rate_bp: 0, tax_category: "S" }], "[0].tax_rate_bp: must be above 0"],
    ["Z with a rate", [line, { ...line, tax_rate_bp: 700, tax_category: "Z" }], "[1].tax_rate_bp: must be 0"],
    ["AE without a rate", [{ ...line, tax_category: "AE" }], "[0].tax_rate_bp: must be 0 with tax_category AE"],
    ["K with a rate", [{ ...line, tax_rate_bp: 1, tax_category: "K" }], "[0].tax_rate_bp: must be 0"],
    ["G with a rate", [{ ...line, tax_rate_bp: 1, tax_category: "G" }], "[0].tax_rate_bp: must be 0"],
    ["E without a reason", [{ ...line, tax_rate_bp: 0, tax_category: "E" }], "[0].tax_exemption_reason: is required"],
    ["a reason without a category", [{ ...line, tax_exemption_reason: "?" }], "[0].tax_exemption_reason: is only for"],
    ["a reason of a taxed line", [{ ...course, tax_category: "Z" }], "[0].tax_exemption_reason: is only for"],
    ["O with a rate", [{ ...outside, tax_rate_bp: 0 }], "[0].tax_rate_bp: is not allowed with tax_category O"],
    ["O beside others", [outside, line], "[1].tax_category: must be O"],
    ["an unknown category", [{ ...line, tax_category: "X" }], "[0].tax_category"],
    [
      "six reasons",
      [..."abcdef"].map((tax_exemption_reason) => ({ ...course, tax_exemption_reason })),
      ": must have at",
    ],
    ["a long reason", [{ ...course, tax_exemption_reason: "x".repeat(201) }], "[0].tax_exemption_reason"],
    ["a reason of two lines", [{ ...course, tax_exemption_reason: "a\nb" }], "[0].tax_exemption_reason"],
    ["a unit in words", [{ ...line, unit: "hours" }], "[0].unit"],
    ["a unit of one letter", [{ ...line, unit: "H" }], "[0].unit"],
    ["a unit in small letters", [{ ...line, unit: "hur" }], "[0].unit"],
  ])("%s", async (_, line_items, fault) => {
    const input = { type: "invoice", currency: "EUR", line_items };
    const draft = (await ask(world, actor(), { type: "invoice", draft: true })).payment;
    const calls = [
      () => world.call(createPayment, actor(), input as never),
      () => world.call(createPayment, actor(), { ...input, type: "product", draft: true } as never),
      () => world.call(updatePaymentRequest, actor(), { payment_id: draft.payment_id, line_items } as never),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(`line_items${fault}`);
  });
});

it("an invoice of a supply to another country is refused without a period, once it is to be final", async () => {
  const line_items = [{ name: "Oven", quantity: 1, unit_amount: 500, tax_rate_bp: 0, tax_category: "K" }] as const;
  const given = { amount: undefined, line_items } as unknown as RequestFields;
  await expect(invoice(given)).rejects.toThrow("invoice.service_from: is required with tax_category K");
  const { payment: draft } = await invoice({ ...given, draft: true });
  const { payment_id } = draft;
  const finalize = () => world.call(finalizePayment, actor(), { payment_id });
  await expect(finalize()).rejects.toThrow("invoice.service_from");
  await world.call(updatePaymentRequest, actor(), { payment_id, invoice: { service_to: "2026-11-01" } } as never);
  expect((await finalize()).invoice_number).not.toBeNull();
  expect((await invoice({ ...given, invoice: { service_from: "2026-11-01" } })).payment.invoice_number).not.toBeNull();
});

it("a request that states none has none, and its record the usual ones", async () => {
  const { payment } = await ask(world, actor(), {
    ...{ type: "invoice", amount: undefined },
    line_items: [lines[0], { name: "Tip", quantity: 1, unit_amount: 5 }],
  } as RequestFields);
  expect(termsOf(payment.line_items)).toEqual([terms[0], terms[0]]);
  expect(await recordOf(payment.payment_id)).toMatchObject({
    lines: [
      { vat_category_code: "S", unit_code: "C62" },
      { vat_category_code: null, unit_code: "C62" },
    ],
  });
});

it("drafts, their finalization and copies carry them", async () => {
  const { payment: draft } = await invoice({ draft: true });
  const { payment_id } = draft;
  await world.call(updatePaymentRequest, actor(), { payment_id, description: "Autumn" } as never);
  const final = await world.call(finalizePayment, actor(), { payment_id });
  const copy = await world.call(duplicatePayment, actor(), { payment_id });
  for (const one of [draft, final, copy, await world.call(getPayment, actor(), { payment_id })]) {
    expect(termsOf(one.line_items)).toEqual(terms);
    expect(one.amount).toBe(amount);
  }
});

it("uses of a link, and the later payments of a subscription, carry them", async () => {
  const link = await ask(world, actor(), { ...fields, usage_limit: 5 });
  const { payment_id } = await payUse(world, link.token);
  const use = await world.call(getPayment, actor(), { payment_id });
  expect(termsOf(use.line_items)).toEqual(terms);
  const { id } = await subscribe(world, actor(), fields);
  await moveClock(world, acme.admin.actor, "P32D");
  const renewals = await cyclesOf(world, id);
  expect(renewals.length).toBeGreaterThan(1);
  for (const { paymentId } of renewals) {
    const payment = await world.call(getPayment, acme.admin.actor, { payment_id: paymentId ?? "" });
    expect(termsOf(payment.line_items)).toEqual(terms);
  }
});

describe("the invoice", () => {
  it("has a tax for each category and rate, with each reason once, and the unit of each line", async () => {
    const { payment } = await invoice({ line_items: [...lines, { ...course, name: "Again" }] as never });
    const record = await recordOf(payment.payment_id);
    const [exempt, ...others] = taxes;
    const reason = "Art. 132 of Directive 2006/112/EC; Exam fee";
    expect(record?.taxes).toMatchObject([
      { ...exempt, vat_exemption_reason: reason, taxable_amount: 100_000 },
      ...others,
    ]);
    expect(record?.lines.map(({ vat_category_code, unit_code }) => [vat_category_code, unit_code])).toEqual([
      ...[
        ["S", "C62"],
        ["E", "HUR"],
        ["E", "C62"],
        ["AE", "XKX"],
        ["Z", "KGM"],
        ["E", "HUR"],
      ],
    ]);
  });

  it("says why a tax is 0, and what is counted, on its page, its file and the page of the request", async () => {
    const { payment, token } = await invoice();
    const page = (await askHosted(world, "GET", `/pay/${token}/invoice`))?.body ?? "";
    const file = await askHosted(world, "GET", new URL(payment.pdf_url ?? "").pathname);
    const text = await textOfPdf((file as { bytes: Uint8Array }).bytes);
    for (const part of [
      ...["12 hr", "3 XKX", "50 kg", "Exempt (E)", "Art. 132 of Directive 2006/112/EC; Exam fee"],
      ...["Reverse charge (AE)", "Tax 7% on €20.00"],
    ]) {
      expect(page).toContain(part);
      expect(text).toContain(part);
    }
    expect(text).not.toContain("(Z)");
    const german = (await askHosted(world, "GET", `/pay/${token}/invoice?lang=de`))?.body ?? "";
    expect(german).toContain("12 Std.");
    expect(german).toContain("Steuerschuldnerschaft des Leistungsempfängers (AE)");
    expect((await askHosted(world, "GET", `/pay/${token}`))?.body).toContain("12 hr");
  });

  it("of what is not subject to tax says so, without a rate", async () => {
    const deposit = { name: "Deposit", quantity: 1, unit_amount: 500, tax_category: "O" as const };
    const { payment, token } = await invoice({ line_items: [deposit] });
    expect((await recordOf(payment.payment_id))?.taxes).toMatchObject([{ vat_rate_bp: null, vat_category_code: "O" }]);
    const page = (await askHosted(world, "GET", `/pay/${token}/invoice`))?.body ?? "";
    expect(page).toContain("Not subject to tax (O)");
    expect(page).not.toContain("Tax");
  });
});

describe("credit notes", () => {
  it("credit each category and rate in proportion, with the reason; one of all has the lines", async () => {
    const { payment, token } = await invoice();
    const { payment_id } = payment;
    await payWith(world, token);
    await world.call(refundPayment, actor(), { payment_id, amount: 10_000 });
    await world.call(refundPayment, actor(), { payment_id, amount: amount - 10_000 });
    const [part, rest] = (await creditNotesOfOne(world.runtime.db.read, payment_id)).map(({ record }) => record);
    expect(part?.lines.map(({ vat_category_code, unit_code }) => [vat_category_code, unit_code])).toEqual(
      taxes.map(({ vat_category_code }) => [vat_category_code, "C62"]),
    );
    const [issued] = [await recordOf(payment_id)];
    for (const [at, tax] of (issued?.taxes ?? []).entries()) {
      const { taxable_amount, tax_amount, ...category } = tax;
      expect([part?.taxes[at], rest?.taxes[at]]).toMatchObject([category, category]);
      const sum = (field: "taxable_amount" | "tax_amount") =>
        (part?.taxes[at]?.[field] ?? 0) + (rest?.taxes[at]?.[field] ?? 0);
      expect([sum("taxable_amount"), sum("tax_amount")]).toEqual([taxable_amount, tax_amount]);
    }
    const { token: other, payment: whole } = await invoice();
    await payWith(world, tokenOf(whole.payment_url));
    await world.call(refundPayment, actor(), { payment_id: whole.payment_id });
    const [note] = await creditNotesOfOne(world.runtime.db.read, whole.payment_id);
    expect(note?.record.lines).toEqual((await recordOf(whole.payment_id))?.lines);
    const page = await askHosted(world, "GET", `/pay/${other}/credit-notes/${note?.id}`);
    expect(page?.body).toContain("Exempt (E)");
  });
});
