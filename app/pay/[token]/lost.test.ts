// What the pay page and the receipt say once the customer's bank has taken a payment back, until it is paid again.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { reopenPayment } from "@/server/domains/payments/operations/reopen";
import { writeOffPayment } from "@/server/domains/payments/operations/write-off";
import { cancelRequest } from "@/test/merchant";
import { openPayPages, type PayPages } from "@/test/pay-page";
import { payPart, type RequestFields } from "@/test/payer";
import { simulate } from "@/test/simulating";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages();
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(() => pages.world.close());

/** A payment request of €12.50 that was paid, lost, and of which `amount` minor units were asked for again. */
async function reopened(amount?: number, more: RequestFields = {}, captured?: number) {
  const { payment, token } = await pages.newRequest({ type: "invoice", amount: 1250, ...more });
  const id = payment.payment_id;
  await (more.allow_partial ? payPart(pages.world, token, "all") : pages.pay(token));
  const capture = { payment_id: id, amount: captured };
  if (captured !== undefined) await pages.world.call(capturePayment, pages.acme.member.actor, capture);
  for (const event of ["dispute", "dispute_lost"] as const) await simulate(pages.world, pages.acme, id, event);
  await pages.world.call(reopenPayment, pages.acme.member.actor, { payment_id: id, amount } as never);
  pages.world.clock.advance(1000);
  return { id, token };
}

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
const textOf = async (token: string, query = "") => plain((await pages.read(token, query)).text);
const receiptOf = async (token: string, query = "") => plain(await (await pages.receipt(token, query)).text());

describe("what was asked for again", () => {
  it.each([
    ["en", "Your bank has taken back €12.50 of what you paid."],
    ["de", "Ihre Bank hat 12,50 € Ihrer Zahlungen zurückgebucht."],
    ["fr", "Votre banque a récupéré 12,50 € sur ce que vous avez payé."],
    ["es", "Su banco ha recuperado 12,50 € de lo que usted pagó."],
    ["ja", "お支払いいただいた金額のうち€12.50は、カード会社により返還されました。"],
    ["ar", "استرد البنك الذي تتعامل معه"],
  ])("is explained on the open page, and not in green (%s)", async (lang, words) => {
    const { token } = await reopened();
    const text = await textOf(token, `?lang=${lang}`);
    expect(text).toContain(words);
    expect(text).toContain('<div class="note hint" role="status">');
    expect(text).not.toMatch(/class="note good"|<dl class="facts"/);
  });

  it("names what is kept beside what the bank took, once a part is paid again", async () => {
    const { token } = await reopened(undefined, { allow_partial: true });
    await payPart(pages.world, token, "own", 500);
    const text = await textOf(token);
    expect(text).toContain("€5.00 received on");
    expect(text).toContain("taken back €12.50 of what you paid");
    expect(text).not.toContain("€17.50");
  });

  it("is named as returned once it is canceled", async () => {
    const { id, token } = await reopened();
    await cancelRequest(pages.world, pages.acme.member.actor, id);
    const page = await pages.read(token);
    expect(page.heading).toBe("Request canceled");
    expect(page.text).toContain("<dt>Returned by your bank</dt><dd>€12.50</dd>");
    expect(page.text).not.toContain("Paid so far");
  });
});

describe("what is paid again", () => {
  it("is thanked for, without the sum of both payments", async () => {
    const { token } = await reopened();
    await pages.pay(token);
    const { heading, text } = await pages.read(token);
    expect(heading).toBe("Payment received");
    expect(text).toContain('<p class="amount">€12.50</p>');
    expect(text).toContain("<dt>Returned by your bank</dt><dd>€12.50</dd>");
    expect(text).not.toMatch(/€25\.00|Paid so far/);
    const receipt = await receiptOf(token);
    expect(receipt).toMatch(/<p class="amount">€12\.50<\/p>\s*<p class="dim">Paid<\/p>/);
    expect(receipt).not.toMatch(/efunded: /);
  });

  it.each([false, true])("is thanked for if it is less (the rest written off: %s)", async (isWrittenOff) => {
    const { id, token } = await reopened(250);
    await pages.pay(token);
    if (isWrittenOff) await pages.world.call(writeOffPayment, pages.acme.member.actor, { payment_id: id });
    const { heading, title, text } = await pages.read(token);
    expect([heading, title]).toEqual(["Payment received", expect.stringMatching(/^Payment received/)]);
    expect(text).toContain('<p class="amount">€2.50</p>');
    expect(text).toContain("<dt>Paid so far</dt><dd>€2.50</dd>");
    expect(text).not.toContain("€15.00");
    const receipt = await receiptOf(token);
    expect(receipt).toMatch(
      /<p class="amount">€2\.50<\/p>\s*<p class="dim">Returned by your bank: €12\.50 of €15\.00</,
    );
  });

  it("counts as paid on the receipt after a final capture of less", async () => {
    const { id, token } = await reopened(undefined, { capture_method: "manual" }, 1000);
    await pages.pay(token);
    await pages.world.call(capturePayment, pages.acme.member.actor, { payment_id: id });
    expect(await receiptOf(token)).toMatch(/<p class="amount">€10\.00<\/p>\s*<p class="dim">Paid<\/p>/);
  });

  it("is returned as a whole once it is lost as well", async () => {
    const { id, token } = await reopened();
    await pages.pay(token);
    for (const event of ["dispute", "dispute_lost"] as const) await simulate(pages.world, pages.acme, id, event);
    const { heading, title, text } = await pages.read(token);
    expect([heading, title]).toEqual(["Payment returned", expect.stringMatching(/^Payment returned/)]);
    expect(text).toContain("€25.00 of your payment");
  });
});

it("calls nothing refunded on the receipt of what the bank took back", async () => {
  const { token } = await reopened();
  const receipt = await receiptOf(token);
  expect(receipt).toMatch(/<p class="amount">€12\.50<\/p>\s*<p class="dim">Returned by your bank<\/p>/);
  expect(receipt).toContain("Back to the payment page");
  expect(await receiptOf(token, "?lang=de")).toContain(">Von Ihrer Bank zurückgegeben</p>");
});
