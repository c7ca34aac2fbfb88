// How much credit notes credit, and how they divide taxes.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InvoiceRecord, InvoiceTax } from "@/db/schema/invoice-values";
import { contentsOf, excessNotes, missingNotes, sharesOf } from "./credit-note-rules";

const claims = { amount: 100, waived: 0, writtenOff: 0, due: 0, isCanceled: false, payments: [], refunds: [] };
const payment = (id: string, kept: number) => ({ id, kept });
const refund = (id: string, amount: number, uncredited = 0, parentId = "early") => ({
  ...{ id, parentId, amount, uncredited },
});
const late = (id: string, amount: number, uncredited = 0) => refund(id, amount, uncredited, "late");
const note = (amount: number, refundId: string | null = null) =>
  ({ cause: refundId === null ? "cancelation" : "refund", refundId, amount }) as const;
const disputed = (amount: number) => ({ cause: "dispute", refundId: null, amount }) as const;
const partial = (amount: number) => ({ cause: "partial_capture", refundId: null, amount }) as const;
/** Of 100, 40 were paid before the cancelation and 60 after it. */
const canceled = { isCanceled: true, payments: [payment("early", 40), payment("late", 60)] };

describe("missing credit notes", () => {
  it.each([
    ["none of an invoice that was paid", {}, [], []],
    ["a refund's", { refunds: [refund("a", 30)] }, [], [30]],
    ["only those that were not made before", { refunds: [refund("a", 30), refund("b", 40)] }, [note(30, "a")], [40]],
    ["none of a refund of surplus", { refunds: [refund("a", 30, 30)] }, [], []],
    ["a cancelation's, of what is due", { ...canceled, due: 60 }, [], [60]],
    ["a cancelation's only once", { due: 60, isCanceled: true }, [note(60)], []],
    ["none for expiry, which leaves it due", { due: 100 }, [], []],
    ["a partial capture's", { waived: 30 }, [], [30]],
    ["the rest of a refund at most", { waived: 30, refunds: [refund("a", 100)] }, [], [30, 70]],
    ["none of money that came after the cancelation", { ...canceled, refunds: [late("a", 60)] }, [note(60)], []],
    ["none of it even if it had to be credited once", { ...canceled, refunds: [late("a", 60)] }, [note(100)], []],
    [
      "those of money that came before, whatever came after",
      { ...canceled, refunds: [refund("a", 30)] },
      [note(60)],
      [30],
    ],
    [
      "those of money that came before, even if the refund is one of surplus",
      { ...canceled, refunds: [refund("a", 40, 40)] },
      [note(60)],
      [40],
    ],
    [
      "no more than what came before, of a payment that became larger after the cancelation",
      { isCanceled: true, payments: [payment("early", 100)], refunds: [refund("a", 30), refund("b", 70)] },
      [note(60), note(30, "a")],
      [10],
    ],
    [
      "no more than what came before, of a payment that several refunds give back and of which only a part came before",
      {
        isCanceled: true,
        payments: [payment("early", 40), payment("late", 50)],
        refunds: [late("a", 25), late("b", 25), refund("c", 40)],
      },
      [note(40)],
      [20, 40],
    ],
    ["what was written off after a lost dispute", { writtenOff: 100 }, [], [100]],
    ["what was written off and has no credit note yet", { writtenOff: 70 }, [disputed(40)], [30]],
    ["no more of what was written off than the rest of the invoice", { writtenOff: 100 }, [note(30, "a")], [70]],
    [
      "what came before a cancelation, of a payment after one that a dispute took",
      { isCanceled: true, payments: [payment("lost", 0), payment("early", 40)], refunds: [refund("a", 40)] },
      [note(60)],
      [40],
    ],
    ["what another refund's failure leaves", { refunds: [refund("b", 70)] }, [note(30, "b")], [40]],
  ])("are %s", (_name, given, made, amounts) => {
    expect(missingNotes({ ...claims, ...given }, made).map(({ amount }) => amount)).toEqual(amounts);
  });

  it.each([[["early", "late"]], [["late", "early"]]])(
    "name the refund of the money that came before the cancelation: %j",
    (order) => {
      const refunds = order.map((id) => (id === "early" ? refund(id, 40) : late(id, 60)));
      expect(missingNotes({ ...claims, ...canceled, refunds }, [note(60)])).toEqual([note(40, "early")]);
    },
  );

  it("never exceed the invoice together", () => {
    const amount = fc.integer({ min: 0, max: 200 });
    const given = fc.record({ waived: amount, due: amount, isCanceled: fc.boolean() });
    fc.assert(
      fc.property(given, fc.array(amount), (one, sums) => {
        const payments = sums.map((each, at) => payment(`p${at}`, each));
        const refunds = sums.map((each, at) => refund(`${at}`, each, 0, `p${at}`));
        const made = missingNotes({ ...claims, ...one, payments, refunds }, []);
        expect(made.every((each) => each.amount > 0)).toBe(true);
        expect(made.reduce((sum, each) => sum + each.amount, 0)).toBeLessThanOrEqual(100);
      }),
    );
  });
});

describe("credit notes that exceed what partial captures waived", () => {
  it.each([
    ["are none while they do not", { waived: 30 }, [partial(20), partial(10)], []],
    ["are the newest", { waived: 20 }, [partial(20), partial(10)], [partial(10)]],
    [
      "are all if nothing is waived",
      { waived: 0 },
      [partial(20), note(5, "a"), partial(10)],
      [partial(20), partial(10)],
    ],
    ["are also those that exceed it in part", { waived: 25 }, [partial(20), partial(10)], [partial(10)]],
    ["are none of a canceled invoice", { waived: 0, isCanceled: true }, [partial(20), note(80)], []],
  ])("%s", (_name, given, made, excess) => {
    expect(excessNotes({ ...claims, ...given }, made)).toEqual(excess);
  });
});

const invoiceOf = (taxes: InvoiceTax[]) => {
  const sum = (field: "taxable_amount" | "tax_amount") => taxes.reduce((total, tax) => total + tax[field], 0);
  const [net_amount, tax_amount] = [sum("taxable_amount"), sum("tax_amount")];
  return {
    taxes,
    lines: [],
    net_amount,
    tax_amount,
    gross_amount: net_amount + tax_amount,
  } as unknown as InvoiceRecord;
};

const taxOf = (vat_rate_bp: number | null, taxable_amount: number, tax_amount: number): InvoiceTax => ({
  ...{ vat_rate_bp, vat_category_code: vat_rate_bp === null ? null : vat_rate_bp === 0 ? "Z" : "S" },
  ...{ vat_exemption_reason: null, taxable_amount, tax_amount },
});

const three = invoiceOf([taxOf(null, 100, 0), taxOf(700, 333, 23), taxOf(1_900, 2_500, 475)]);

describe("the taxes of credit notes", () => {
  it("are in proportion to those of the invoice", () => {
    const half = contentsOf(three, [], 1_715);
    expect(half.taxes).toEqual([taxOf(null, 50, 0), taxOf(700, 166, 12), taxOf(1_900, 1_250, 237)]);
    expect(half).toMatchObject({ net_amount: 1_466, tax_amount: 249, gross_amount: 1_715 });
  });

  it("are those of the invoice in full for a full credit, with its lines", () => {
    const lines = [{ identifier: 1 }];
    const whole = contentsOf({ ...three, lines } as never, [], three.gross_amount);
    expect(whole).toMatchObject({ taxes: three.taxes, lines, net_amount: 2_933, tax_amount: 498 });
  });

  it("add up to those of the invoice, in parts of one minor unit", () => {
    const small = invoiceOf([taxOf(0, 7, 0), taxOf(700, 20, 1), taxOf(1_900, 11, 2)]);
    expectExact(
      small,
      Array.from({ length: 41 }, () => 1),
    );
  });

  it("add up to those of any invoice, in any parts, even with large amounts", () => {
    const tax = fc.record({
      ...{
        taxable_amount: fc.integer({ min: 0, max: 999_999_999_999 }),
        tax_amount: fc.integer({ min: 0, max: 1_000 }),
      },
    });
    const taxes = fc.array(tax, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(taxes, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }), (given, cuts) => {
        const invoice = invoiceOf(given.map((one, at) => taxOf(at * 100, one.taxable_amount, one.tax_amount)));
        const at = cuts.map((cut) => Math.floor(cut * invoice.gross_amount)).sort((a, b) => a - b);
        const parts = [...at, invoice.gross_amount].map((end, index) => end - (at[index - 1] ?? 0));
        expectExact(
          invoice,
          parts.filter((part) => part > 0),
        );
      }),
    );
  });
});

/** Credits the parts in turn: nothing ever exceeds the invoice, and all together are it. */
function expectExact(invoice: InvoiceRecord, parts: readonly number[]) {
  const credited: InvoiceTax[][] = [];
  const sumOf = (rate: number | null, field: "taxable_amount" | "tax_amount") =>
    credited.flat().reduce((total, tax) => total + (tax.vat_rate_bp === rate ? tax[field] : 0), 0);
  for (const part of parts) {
    const { taxes, lines, ...sums } = contentsOf(invoice, credited, part);
    credited.push([...taxes]);
    expect(sums.net_amount + sums.tax_amount).toBe(part);
    expect(taxes.reduce((total, one) => total + one.taxable_amount + one.tax_amount, 0)).toBe(part);
    for (const { vat_rate_bp, ...tax } of invoice.taxes) {
      expect(sumOf(vat_rate_bp, "taxable_amount")).toBeLessThanOrEqual(tax.taxable_amount);
      expect(sumOf(vat_rate_bp, "tax_amount")).toBeLessThanOrEqual(tax.tax_amount);
    }
  }
  for (const { vat_rate_bp, ...tax } of invoice.taxes) {
    expect(sumOf(vat_rate_bp, "taxable_amount")).toBe(tax.taxable_amount);
    expect(sumOf(vat_rate_bp, "tax_amount")).toBe(tax.tax_amount);
  }
}

describe("shares", () => {
  it.each([
    [1, [1, 1, 1], [1, 0, 0]],
    [2, [1, 1, 1], [1, 1, 0]],
    [10, [1, 2, 7], [1, 2, 7]],
    [3, [1, 2, 7], [0, 1, 2]],
    [0, [1, 2], [0, 0]],
    [5, [0, 5], [0, 5]],
  ])("of %s in proportion to %j are %j", (amount, weights, shares) => {
    expect(sharesOf(amount, weights)).toEqual(shares);
  });
});
