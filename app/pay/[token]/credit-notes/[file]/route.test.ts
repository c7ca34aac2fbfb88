// A credit note as a page and as a PDF file: what they say, who can open them, and what follows when it becomes void.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { idempotencyKeys } from "@/db/tables";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { createPayment } from "@/server/domains/payments/operations/create";
import { readIssuedCreditNote } from "@/server/domains/payments/operations/credit-note";
import { getPayment } from "@/server/domains/payments/operations/get";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { runJobs } from "@/test/jobs";
import { cancelRequest, captureRequest } from "@/test/merchant";
import { settleNow } from "@/test/money";
import { openPayPages, type PayPages } from "@/test/pay-page";
import { card, transactionsOf } from "@/test/payer";
import { pdfIn, textOfPdf } from "@/test/pdf";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages();
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(() => pages.world.close());

const actor = () => pages.acme.member.actor;
const lines = [
  { name: "Cake", quantity: 3, unit_amount: 1_000, tax_rate_bp: 1_900, discount_amount: 500 },
  { name: "Bread", quantity: 1, unit_amount: 333, tax_rate_bp: 700 },
];

/** An invoice that was paid with this card and partly refunded, its token and its credit note. */
async function refunded(more: object = {}, number = "4242424242424242", amount?: number) {
  const input = { type: "invoice", amount: 1_250, currency: "EUR", ...more };
  const { payment_id, payment_url } = await pages.world.call(createPayment, actor(), input as never);
  const token = payment_url?.split("/pay/")[1] ?? "";
  await pages.pay(token, card(number));
  await pages.world.call(refundPayment, actor(), { payment_id, amount });
  const payment = await pages.world.call(getPayment, actor(), { payment_id });
  const [note] = payment.credit_notes;
  if (!note) throw new Error("There is no credit note.");
  return { payment, token, note, file: `${note.credit_note_id}.pdf` };
}

const pdfOf = async (token: string, file: string, query = "") => pdfIn(await pages.creditNote(token, file, query));
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

describe("the file", () => {
  it("names the invoice and its share of each tax, in the reader's language", async () => {
    const items = { amount: undefined, line_items: lines, invoice: { purchase_order: "PO-7" } };
    const { payment, token, note, file } = await refunded({ ...items, customer: { name: "Grace" } }, undefined, 1_000);
    expect(note.pdf_url).toBe(`${payment.payment_url}/credit-notes/${file}`);
    const text = await textOfPdf(await pdfOf(token, file));
    for (const part of [
      ...["TEST", `Credit note ${note.credit_note_number}`, `Credit for invoice ${payment.invoice_number}`, "€10.00"],
      ...[`${payment.invoice_number} of November 20, 2026`, "Refund", "PO-7", "Grace", "Tax 7%", "Tax 19%", "Subtotal"],
      `Part of invoice ${payment.invoice_number}`,
    ]) {
      expect(text).toContain(part);
    }
    expect(await textOfPdf(await pdfOf(token, file, "?lang=de"))).toContain("Korrektur der Rechnung");
    const { headers } = await pages.creditNote(token, file);
    const name = `credit-note-${note.credit_note_number}.pdf`;
    expect(headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
  });

  it("has all lines of an invoice that is credited in full, and the same bytes each time", async () => {
    const { token, file } = await refunded({ amount: undefined, line_items: lines });
    const first = Buffer.from(await pdfOf(token, file));
    expect(await textOfPdf(await pdfOf(token, file))).toContain("Cake");
    pages.world.clock.advance(86_400_000);
    expect(first.equals(await pdfOf(token, file))).toBe(true);
  });

  it("says so once it is void, and is no longer linked", async () => {
    const { token, file, note } = await refunded({}, "4000000000005126", 500);
    expect(await (await pages.get(token)).text()).toContain(note.credit_note_id);
    pages.world.clock.advance(7 * 86_400_000);
    await runJobs(pages.world);
    const page = await (await pages.creditNote(token, file.replace(/\.pdf$/, ""))).text();
    // Once each.
    for (const text of [await textOfPdf(await pdfOf(token, file)), page]) {
      expect(text.split("Void: the refund failed")).toHaveLength(2);
    }
    expect(await (await pages.get(token)).text()).not.toContain(note.credit_note_id);
  });

  it("says another reason once the provider has captured all after a partial capture", async () => {
    const input = { type: "invoice", amount: 1_250, currency: "EUR", capture_method: "manual" };
    const { payment_id, payment_url } = await pages.world.call(createPayment, actor(), input as never);
    const token = payment_url?.split("/pay/")[1] ?? "";
    await pages.pay(token, card("4242424242424242"));
    await captureRequest(pages.world, actor(), payment_id, 1_000);
    const [held] = await transactionsOf(pages.world, payment_id);
    const made = { amountAuthorized: 1_250, amountCaptured: 1_250, amountReleased: 0, feeAmount: 0 };
    await settleNow(pages.world, held?.id ?? "", {
      ...{ kind: "charge", status: "succeeded", reference: held?.providerReference, ...made },
      ...{ captureBefore: null, actionUrl: null, failure: null, dispute: null, card: null },
    } as never);
    const [note] = (await pages.world.call(getPayment, actor(), { payment_id })).credit_notes;
    expect(await textOfPdf(await pdfOf(token, `${note?.credit_note_id}.pdf`))).toContain(
      "Void: the amount was charged",
    );
  });

  it("has an address that no stored answer contains, and a repeated call gets", async () => {
    const input = { type: "invoice", amount: 1_250, currency: "EUR" };
    const { payment_id, payment_url } = await pages.world.call(createPayment, actor(), input as never);
    const cancel = () => pages.world.call(cancelPayment, actor(), { payment_id }, { idempotencyKey: "note-1" });
    const first = await cancel();
    expect(first.credit_notes[0]?.pdf_url).toMatch(`${payment_url}/credit-notes/`);
    const stored = await pages.world.runtime.db.read.select().from(idempotencyKeys);
    expect(JSON.stringify(stored)).toContain(first.credit_notes[0]?.credit_note_id);
    expect(JSON.stringify(stored)).not.toContain(payment_url?.split("/pay/")[1]);
    expect(await cancel()).toEqual(first);
  });

  it("does not exist of another payment request, nor for an unknown link or note", async () => {
    const { token, file } = await refunded();
    const other = await refunded();
    for (const [at, name] of [
      [other.token, file],
      [token, other.file],
      ["unknown", file],
      [token, "crn_unknown.pdf"],
      [token, "x".repeat(500)],
    ] as const) {
      expect((await pages.creditNote(at, name)).status).toBe(404);
    }
  });
});

describe("the page", () => {
  it("says what the file says, and leads to it", async () => {
    const { payment, token, note, file } = await refunded({}, undefined, 400);
    const text = plain(await (await pages.creditNote(token, note.credit_note_id)).text());
    const link = `href="/pay/${token}/credit-notes/${file}"`;
    for (const part of [note.credit_note_number, payment.invoice_number ?? "", "€4.00", "Refund", link]) {
      expect(text).toContain(part);
    }
    expect(await (await pages.creditNote(token, note.credit_note_id, "?lang=ar")).text()).toContain('dir="rtl"');
    expect(await (await pages.get(token)).text()).toContain(
      `href="/pay/${token}/credit-notes/${file}">Credit note ${note.credit_note_number} as PDF</a>`,
    );
  });

  it("is all there is with a character that the fonts lack", async () => {
    const input = { type: "invoice", amount: 1_250, currency: "EUR", customer: { name: "山田" } };
    const { payment_id, payment_url } = await pages.world.call(createPayment, actor(), input as never);
    const token = payment_url?.split("/pay/")[1] ?? "";
    await cancelRequest(pages.world, actor(), payment_id);
    const { credit_notes } = await pages.world.call(getPayment, actor(), { payment_id });
    expect(credit_notes).toMatchObject([{ pdf_url: null, pdf_problem: "山" }]);
    const id = credit_notes[0]?.credit_note_id ?? "";
    expect((await pages.creditNote(token, `${id}.pdf`)).status).toBe(404);
    const text = await (await pages.creditNote(token, id)).text();
    expect(text).toContain("山田");
    expect(text).not.toContain(".pdf");
    expect(await (await pages.get(token)).text()).toContain(`href="/pay/${token}/credit-notes/${id}"`);
  });
});

describe("of a customer who was erased", () => {
  it("is no longer shown to everyone with the link, but to those who may see the payment request", async () => {
    const { payment, token, note, file } = await refunded({ customer: { name: "Grace", email: "gone@example.com" } });
    const { payment_id } = payment;
    const customer_id = payment.customer?.customer_id ?? "";
    const { kept } = await pages.world.call(eraseCustomer, actor(), { customer_id });
    expect(kept).toEqual([payment.invoice_number, note.credit_note_number]);
    expect((await pages.creditNote(token, file)).status).toBe(404);
    expect((await pages.creditNote(token, note.credit_note_id)).status).toBe(404);
    expect(await (await pages.get(token)).text()).not.toContain(note.credit_note_id);
    const after = await pages.world.call(getPayment, actor(), { payment_id });
    expect(after.credit_notes).toMatchObject([{ credit_note_number: note.credit_note_number, pdf_url: null }]);
    const { credit_note_id } = note;
    const { record } = await pages.world.call(readIssuedCreditNote, actor(), { payment_id, credit_note_id });
    expect(record.buyer?.name).toBe("Grace");
  });
});
