// The receipt: when it exists, what it lists, and its URL in the payment request.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { idempotencyKeys } from "@/db/tables";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { getPayment } from "@/server/domains/payments/operations/get";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { appUrl, headingOf, openPayPages, type PayPages } from "@/test/pay-page";
import { card, transactionsOf } from "@/test/payer";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages();
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(() => pages.world.close());

const textOf = async (token: string, query = "") => {
  const response = await pages.receipt(token, query);
  expect(response.status).toBe(200);
  return (await response.text()).replaceAll(/[\u00a0\u202f]/g, " ");
};

const found = (id: string) => pages.world.call(getPayment, pages.acme.member.actor, { payment_id: id });

describe("before any payment", () => {
  it("says that there is no receipt yet, and the payment request has no receipt URL", async () => {
    const { payment, token } = await pages.newRequest();
    const held = await pages.newRequest({ capture_method: "manual" });
    await pages.pay(held.token);
    for (const { token: each } of [{ token }, held]) {
      const text = await textOf(each);
      expect(headingOf(text)).toBe("No receipt yet");
      expect(text).toContain(`href="/pay/${each}"`);
    }
    expect((await found(payment.payment_id)).receipt_url).toBeNull();
    expect((await found(held.payment.payment_id)).receipt_url).toBeNull();
  });
});

describe("a paid payment request", () => {
  it("has a receipt with line items, tax, payment and its references", async () => {
    const { payment, token } = await pages.newRequest({
      amount: undefined,
      description: "Bread for November",
      reference: `INV-${pages.world.clock.now()}`,
      line_items: [{ name: "Rye", quantity: 3, unit_amount: 400, tax_rate_bp: 700 }],
      customer: { name: "Grace Hopper", email: "grace@example.com" },
      success_url: "https://shop.example.com/thanks",
    });
    await pages.pay(token, { ...card("5555555555554444") });
    const text = await textOf(token);
    const [transaction] = await transactionsOf(pages.world, payment.payment_id);
    expect(headingOf(text)).toBe("Receipt");
    for (const part of [
      "Bread for November",
      payment.reference,
      "3 × €4.00",
      ">Subtotal</dt><dd>€12.00<",
      ">Tax 7%</dt><dd>€0.84<",
      ">Total</dt><dd>€12.84<",
      "Mastercard ending in 4444",
      "November 20, 2026 at 12:00",
      transaction?.id,
      '<p class="amount">€12.84</p>',
      ">Paid</p>",
      ">For</dt><dd>Grace Hopper<",
      `>Questions to</dt><dd>${pages.acme.member.email}<`,
      ">Return to shop.example.com</a>",
    ]) {
      expect(text).toContain(part);
    }
    // Nothing is left to do on the payment page, and a forwarded receipt tells nobody the customer's address.
    for (const part of ["Refunds", "Back to the payment page", "grace@"]) expect(text).not.toContain(part);
    expect((await found(payment.payment_id)).receipt_url).toBe(`${appUrl}/pay/${token}/receipt`);
  });

  it("lists every refund with its date, and the amount paid after refunds", async () => {
    const { payment, token } = await pages.newRequest();
    await pages.pay(token);
    const refund = (amount?: number) =>
      pages.world.call(refundPayment, pages.acme.member.actor, {
        payment_id: payment.payment_id,
        ...(amount === undefined ? {} : { amount }),
      });
    pages.world.clock.advance(86_400_000);
    await refund(250);
    const partly = await textOf(token);
    for (const part of [
      '<p class="amount">€10.00</p>',
      ">Partly refunded: €2.50 of €12.50</p>",
      "\u2212€2.50",
      "November 21, 2026",
      ">Paid after refunds</dt><dd>€10.00<",
    ]) {
      expect(partly).toContain(part);
    }
    await refund();
    const wholly = await textOf(token, "?lang=de");
    for (const part of [
      '<p class="amount">12,50 €</p>',
      ">Erstattet</p>",
      "\u221210,00 €",
      ">Bezahlt abzüglich Erstattungen</dt><dd>0,00 €<",
    ]) {
      expect(wholly).toContain(part);
    }
  });

  it("has a button that prints, which needs the page's only script, allowed by its hash", async () => {
    const { token } = await pages.newRequest();
    const policyOf = (response: Response) => response.headers.get("content-security-policy") ?? "";
    expect(policyOf(await pages.receipt(token))).not.toContain("script-src");
    await pages.pay(token);
    expect(policyOf(await pages.get(token))).not.toContain("script-src");
    const response = await pages.receipt(token);
    const text = await response.text();
    const scripts = [...text.matchAll(/<script>([^<]*)<\/script>/g)].map(([, script = ""]) => script);
    expect(scripts).toHaveLength(1);
    const hash = createHash("sha256").update(scripts.join("")).digest("base64");
    expect(policyOf(response)).toContain(`; script-src 'sha256-${hash}'; style-src`);
    expect(text).toMatch(/<div id="print" hidden><button [^>]*>Print</);
  });

  it("has offline payments on its receipt, which remains when the rest is canceled", async () => {
    const { payment, token } = await pages.newRequest();
    const { payment_id } = payment;
    const cash = { type: "payment", amount: 250, currency: "EUR", payment_id } as const;
    await pages.world.call(createTransaction, pages.acme.member.actor, cash);
    expect((await pages.read(token)).text).toContain(`href="/pay/${token}/receipt"`);
    await pages.world.call(cancelPayment, pages.acme.member.actor, { payment_id });
    const text = await textOf(token);
    for (const part of [">Partly paid</p>", '<p class="amount">€2.50</p>', '<div class="item"><dt>Payment<span>']) {
      expect(text).toContain(part);
    }
  });
});

describe("the receipt's URL", () => {
  it("is not stored with an Idempotency-Key, and a replayed response has the same one", async () => {
    const { payment, token } = await pages.newRequest();
    const { payment_id } = payment;
    const cash = { type: "payment", amount: 250, currency: "EUR", payment_id } as const;
    await pages.world.call(createTransaction, pages.acme.member.actor, cash);
    const cancel = () =>
      pages.world.call(cancelPayment, pages.acme.member.actor, { payment_id }, { idempotencyKey: "receipt" });
    const first = await cancel();
    expect(first.receipt_url).toBe(`${appUrl}/pay/${token}/receipt`);
    expect(await cancel()).toEqual(first);
    const kept = await pages.world.runtime.db.read.select().from(idempotencyKeys);
    expect(JSON.stringify(kept)).toContain(payment_id);
    expect(JSON.stringify(kept)).not.toContain(token);
  });
});
