// The receipt as a PDF file: its headers and content, and when there is none.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { simulateEvent } from "@/server/domains/sandbox/operations/simulate";
import { limits } from "@/server/kit/limits";
import { headingOf, openPayPages, type PayPages } from "@/test/pay-page";
import { transactionsOf } from "@/test/payer";
import { pdfIn, textOfPdf } from "@/test/pdf";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages();
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(() => pages.world.close());

async function paid(request: Parameters<PayPages["newRequest"]>[0] = {}) {
  const made = await pages.newRequest(request);
  await pages.pay(made.token);
  return made;
}

const pdfOf = async (token: string, query = "?format=pdf") => pdfIn(await pages.receipt(token, query));

it("says what the page says, in the reader's language, and names no secret", async () => {
  const { payment, token } = await paid({
    amount: undefined,
    description: "Bread for November",
    line_items: [{ name: "Rye", quantity: 3, unit_amount: 400, tax_rate_bp: 700, discount_amount: 100 }],
    customer: { name: "Grace Hopper", email: "grace@example.com" },
  });
  const [transaction] = await transactionsOf(pages.world, payment.payment_id);
  const text = await textOfPdf(await pdfOf(token));
  for (const part of [
    ...["TEST", "Receipt", "€11.77", "Paid", "Bread for November", "Grace Hopper", pages.acme.member.email],
    ...["Rye", "Discount −€1.00", "€4.00", "Subtotal €11.00", "Tax 7% €0.77", "Total €11.77"],
    ...["Visa ending in 4242", transaction?.id ?? "", "November 20, 2026 at 12:00"],
  ]) {
    expect(text).toContain(part);
  }
  for (const secret of ["grace@", token]) expect(text).not.toContain(secret);
  for (const [language, title] of [
    ["de", "Zahlungsbeleg"],
    ["fr", "Reçu"],
    ["es", "Recibo"],
    // The fonts have no characters of these languages.
    ["ja", "Receipt"],
    ["ar", "Receipt"],
  ]) {
    expect(await textOfPdf(await pdfOf(token, `?format=pdf&lang=${language}`))).toContain(title);
  }
  expect(await (await pages.receipt(token, "?lang=de")).text()).toContain(
    `href="/pay/${token}/receipt?format=pdf&amp;lang=de">Als PDF herunterladen</a>`,
  );
});

it("is saved under the payment's id, kept by nobody and run by nothing", async () => {
  const { payment, token } = await paid();
  const [transaction] = await transactionsOf(pages.world, payment.payment_id);
  const { headers } = await pages.receipt(token, "?format=pdf");
  expect(headers.get("content-disposition")).toBe(`attachment; filename="receipt-${transaction?.id}.pdf"`);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("x-robots-tag")).toContain("noindex");
});

it("is the same file until something changes, and then lists the refund", async () => {
  const { payment, token } = await paid();
  const first = Buffer.from(await pdfOf(token));
  pages.world.clock.advance(86_400_000);
  expect(first.equals(await pdfOf(token))).toBe(true);
  const refund = { payment_id: payment.payment_id, amount: 250 };
  await pages.world.call(refundPayment, pages.acme.member.actor, refund);
  const later = await pdfOf(token);
  expect(first.equals(later)).toBe(false);
  const text = await textOfPdf(later);
  for (const part of ["Partly refunded", "Refunds", "−€2.50", "Paid after refunds €10.00"])
    expect(text).toContain(part);
});

it("exists for a payment alone", async () => {
  const { payment, token } = await paid();
  const [transaction] = await transactionsOf(pages.world, payment.payment_id);
  expect(await textOfPdf(await pdfOf(token, `?payment=${transaction?.id}&format=pdf`))).toContain(transaction?.id);
  const link = `href="/pay/${token}/receipt?payment=${transaction?.id}&amp;format=pdf"`;
  expect(await (await pages.receipt(token, `?payment=${transaction?.id}`)).text()).toContain(link);
  expect((await pages.receipt(token, "?payment=tra_unknown&format=pdf")).status).toBe(404);
});

it("is the page while nothing was paid", async () => {
  const { token } = await pages.newRequest();
  const response = await pages.receipt(token, "?format=pdf");
  expect(response.status).toBe(200);
  expect(headingOf(await response.text())).toBe("No receipt yet");
});

it("says which character it cannot show, and leads to the page, which shows all", async () => {
  const { token } = await paid({ customer: { name: "山田 太郎", email: "yamada@example.com" } });
  const response = await pages.receipt(token, "?format=pdf");
  expect(response.status).toBe(422);
  const text = await response.text();
  expect(headingOf(text)).toBe("No PDF of this receipt");
  expect(text).toContain("have no “山”");
  expect(text).toContain(`href="/pay/${token}/receipt">Open the receipt</a>`);
  expect(await (await pages.receipt(token)).text()).toContain("山田 太郎");
});

it("is made for a few callers of an address at a time; others are told to wait", async () => {
  const { token } = await paid();
  const many = 6 * limits.papersAtOnce.perCaller;
  const responses = await Promise.all(Array.from({ length: many }, () => pages.receipt(token, "?format=pdf")));
  const statuses = responses.map(({ status }) => status).sort();
  // One that is ready makes room for a caller who comes later.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(limits.papersAtOnce.perCaller);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(responses.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("1");
  await pdfOf(token);
});

it("says what the bank returned by a lost dispute, as the page does", async () => {
  const { payment, token } = await paid();
  const { payment_id } = payment;
  await pages.world.call(refundPayment, pages.acme.admin.actor, { payment_id, amount: 250 });
  for (const event of ["dispute", "dispute_lost"] as const) {
    await pages.world.call(simulateEvent, pages.acme.admin.actor, { payment_id, event });
  }
  const page = (await (await pages.receipt(token)).text()).replaceAll(/[\u00a0\u202f]/g, " ");
  for (const text of [page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "), await textOfPdf(await pdfOf(token))]) {
    for (const part of ["Refunded", "−€2.50", "Returned by your bank", "−€10.00", "€0.00"])
      expect(text).toContain(part);
  }
  expect(await (await pages.get(token)).text()).toContain("was returned to you, by your bank or by a refund");
});
