// The open pay page: its content, submitting its form, and its message after a failure.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { limits } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { browser, headingOf, openPayPages, type PayPages, titleOf } from "@/test/pay-page";
import { card, goodCard, paymentRow, transactionsOf } from "@/test/payer";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages({ PAY_FAILURES_PER_LINK: "12" });
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(() => pages.world.close());

describe("an open payment request", () => {
  it("shows the payee, the purpose, the amount, and a form with the amount on its button", async () => {
    const { token } = await pages.newRequest({
      type: "invoice",
      currency: "EUR",
      amount: 124900,
      description: "Sourdough course",
      reference: `INV-${pages.world.clock.now()}`,
      line_items: [{ name: "Course", quantity: 2, unit_amount: 62450 }],
      due_at: "2026-12-24T12:00:00Z",
    });
    const response = await pages.get(token);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(headingOf(text)).toBe("Sourdough course");
    expect(titleOf(text)).toMatch(/^Invoice · Account /);
    expect(text).toContain('<p class="amount">€1,249.00</p>');
    expect(text).toMatch(
      /<details class="fold"><summary>Course<\/summary><dl .*2 × €624\.50.*<\/dl><\/details><dl .*INV-/s,
    );
    expect(text).toContain("Due December 24, 2026");
    expect(text).toContain('<button class="button">Pay €1,249.00</button>');
    for (const label of ["Card number", "Expiry date", "Security code"]) expect(text).toContain(`>${label}</label>`);
    expect(text).toContain("<b>TEST</b>");
    expect(text).not.toContain('role="alert"');
    expect(Buffer.byteLength(text)).toBeLessThan(16_384);
  });

  it("shows the discount of a line, so that the lines add up", async () => {
    const lines = [
      { name: "Prosecco", quantity: 24, unit_amount: 1_490, discount_amount: 1_000 },
      { name: "Glasses", quantity: 1, unit_amount: 2_000, discount_amount: 500 },
      { name: "Ice", quantity: 1, unit_amount: 300 },
    ];
    const { token } = await pages.newRequest({ type: "invoice", currency: "EUR", amount: null, line_items: lines });
    const [, prosecco = "", glasses = "", ice = ""] = (await pages.read(token)).text.split('class="item"');
    expect(prosecco).toContain("<span>24 × €14.90</span><span>Discount −€10.00</span></dt><dd>€347.60</dd>");
    expect(glasses).toContain("<span>1 × €20.00</span><span>Discount −€5.00</span></dt><dd>€15.00</dd>");
    expect(ice).toContain("Ice</bdi></dt><dd>€3.00</dd>");
    expect((await pages.read(token, "?lang=de")).text).toMatch(/Rabatt −10,00\s€/);
  });

  it("shows the subtotal and the tax of each rate, and what a rate is on", async () => {
    const lines = [
      { name: "Course", quantity: 2, unit_amount: 50_000, tax_rate_bp: 1900, discount_amount: 10_000 },
      { name: "Book", quantity: 1, unit_amount: 2_999, tax_rate_bp: 700 },
      { name: "Postage", quantity: 1, unit_amount: 500 },
    ];
    const { token } = await pages.newRequest({ type: "invoice", currency: "EUR", amount: null, line_items: lines });
    const { text } = await pages.read(token);
    for (const part of [
      "Subtotal</dt><dd>€934.99<",
      "Tax 7% on €29.99</dt><dd>€2.10<",
      "Tax 19% on €900.00</dt><dd>€171.00<",
      "Total</dt><dd>€1,108.09<",
    ]) {
      expect(text).toContain(part);
    }
    const plain = (await pages.read(token, "?lang=de")).text.replaceAll(/[\u00a0\u202f]/g, " ");
    expect(plain).toContain("Steuer 7 % auf 29,99 €</dt><dd>2,10 €<");
  });

  it("is paid by its form: 303 to the same link, which then shows the payment", async () => {
    const success_url = "https://shop.example.com/{payment_id}/thanks?order={payment_id}";
    const cancel_url = "http://localhost:3001/cart?order={payment_id}";
    const { payment, token } = await pages.newRequest({ success_url, cancel_url });
    const { payment_id: id } = payment;
    expect([payment.success_url, payment.cancel_url]).toEqual([success_url, cancel_url]);
    const open = await pages.read(token);
    expect(open.text).toContain(
      `href="http://localhost:3001/cart?order=${id}" rel="noreferrer">Return to localhost:3001<`,
    );
    expect(open.text).not.toContain("shop.example.com");
    const response = await pages.pay(token);
    expect([response.status, response.headers.get("location")]).toEqual([303, `/pay/${token}`]);
    expect((await paymentRow(pages.world, payment.payment_id)).status).toBe("paid");
    const { heading, text } = await pages.read(token);
    expect(heading).toBe("Payment received");
    expect(text).toContain(`href="https://shop.example.com/${id}/thanks?order=${id}"`);
    expect(text).not.toContain("localhost");
    expect(text).toContain(`href="/pay/${token}/receipt"`);
    expect(text).not.toContain("<form");
  });

  it("makes one attempt of a form that is sent twice", async () => {
    const { payment, token } = await pages.newRequest();
    const fields = { form_token: await pages.formOf(token), ...goodCard };
    const answers = await Promise.all([pages.post(token, fields), pages.post(token, fields)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await transactionsOf(pages.world, payment.payment_id)).toHaveLength(1);
  });
});

describe("after a failure", () => {
  it.each([
    ["4000000000000002", "Your card was declined."],
    ["4000000000009995", "This card does not have enough funds."],
    ["4000000000000069", "This card has expired."],
    ["4000000000000127", "The security code is wrong."],
    ["4000000000000119", "The card could not be processed."],
    ["4000000000006975", "This card has been used too often."],
    // The payer does not complete the challenge.
    ["4000002760003184", "You did not confirm the payment with your bank."],
  ])("card %s: the reason is shown above an empty form, and another card pays", async (number, reason) => {
    const { payment, token } = await pages.newRequest();
    const answer = await pages.pay(token, card(number));
    expect(answer.status).toBe(303);
    if (answer.headers.get("location")?.includes("/sandbox/")) await pages.leave(token);
    const { text, title } = await pages.read(token);
    expect(text).toContain(reason);
    expect(text).toContain("You have not been charged");
    expect(text.indexOf('id="card_number"')).toBeGreaterThan(text.indexOf(reason));
    expect(title).toMatch(/^Not paid: /);
    expect(text).not.toContain(number.slice(-4));
    expect(text).not.toContain('value="12/30"');
    pages.world.clock.advance(1000);
    await pages.pay(token);
    expect((await paymentRow(pages.world, payment.payment_id)).status).toBe("paid");
  });

  it.each(["4000000000009987", "4000000000009979", "4100000000000019", "4000000000004954"])(
    "card %s is refused without telling the payer that it is suspicious, and another card pays",
    async (number) => {
      const { payment, token } = await pages.newRequest();
      await pages.pay(token, card(number));
      const { text } = await pages.read(token);
      expect(text).toContain("You have not been charged");
      expect(text).not.toMatch(/stolen|lost|fraud/i);
      expect(text).toContain('id="card_number"');
      pages.world.clock.advance(1000);
      await pages.pay(token);
      expect((await paymentRow(pages.world, payment.payment_id)).status).toBe("paid");
    },
  );

  it("lists each invalid field, linked to its explanation", async () => {
    const { payment, token } = await pages.newRequest();
    const typed = { card_number: "4111 1111 1111 1111", expiry: "1/20", security_code: "123" };
    const location = (await pages.pay(token, typed)).headers.get("location") ?? "";
    expect(decodeURIComponent(location)).toBe(`/pay/${token}?problem=number_not_test,expiry_past`);
    const { text } = await pages.read(token, "?problem=number_not_test,expiry_past,nonsense");
    expect(text).toContain('<a href="#card_number">Card number</a>');
    expect(text).toContain('aria-describedby="card_number-note" aria-invalid="true"');
    expect(text).toContain("Only test cards are accepted here.");
    expect(text).not.toContain("4111");
    expect(text).not.toContain("nonsense");
    expect(await transactionsOf(pages.world, payment.payment_id)).toEqual([]);
  });

  it("asks for the card again when the form has expired", async () => {
    const { token } = await pages.newRequest();
    const response = await pages.post(token, { form_token: "old", ...goodCard });
    expect(response.headers.get("location")).toBe(`/pay/${token}?problem=form_expired`);
    expect((await pages.read(token, "?problem=form_expired")).text).toContain("This page was open for too long");
  });

  it("takes no card for an hour after as many declines as one address may have, and says when it does again", async () => {
    const { token } = await pages.newRequest();
    for (let failed = 0; failed < 12; failed++) {
      await pages.pay(token, card("4000000000000002"));
      pages.world.clock.advance(1000);
    }
    const page = await pages.read(token);
    expect(page).toMatchObject({ status: 200, heading: "Card payments paused" });
    expect(page.text).toMatch(/You can try a card again from \w/);
  });
});

describe("with too many mistyped cards", () => {
  it.each([
    ["en", "There were too many attempts."],
    ["de", "Es gab zu viele Versuche."],
  ])("answers 429 with the form and the reason in words (%s)", async (lang, words) => {
    const { token } = await pages.newRequest();
    const typed = { form_token: await pages.formOf(token), ...goodCard, card_number: "1" };
    for (let sent = 0; sent < limits.payFormsPerHour; sent++) await pages.post(token, typed);
    const response = await pages.post(token, typed, browser, `?lang=${lang}`);
    const text = await response.text();
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(text).toContain(words);
    expect(text).toContain('name="form_token"');
  });
});

describe("the challenge", () => {
  const challenged = card("4000002760003184");

  it("is on the bank's page, which the pay page links to meanwhile", async () => {
    const { payment, token } = await pages.newRequest();
    const answer = await pages.pay(token, challenged);
    const bank = answer.headers.get("location") ?? "";
    expect(bank).toMatch(/^\/sandbox\/challenge\/\w+$/);
    expect((await paymentRow(pages.world, payment.payment_id)).status).toBe("requires_action");
    const { heading, text } = await pages.read(token);
    expect(heading).toBe("Confirm with your bank");
    expect(text).toContain(`<a class="button" href="${bank}">Continue to your bank</a>`);
    expect(text).toContain(">Pay another way</button>");
    expect(text).not.toContain('name="card_number"');
  });

  it("keeps the language", async () => {
    const { token } = await pages.newRequest();
    const answer = await pages.pay(token, challenged, "?lang=de");
    expect(answer.headers.get("location")).toMatch(/^\/sandbox\/challenge\/\w+\?lang=de$/);
    expect((await pages.read(token, "?lang=de")).text).toMatch(/href="\/sandbox\/challenge\/\w+\?lang=de"/);
    expect((await pages.leave(token, undefined, "?lang=de")).headers.get("location")).toBe(`/pay/${token}?lang=de`);
  });

  it("is abandoned by Pay another way, however often that is pressed, and only from our page", async () => {
    const { payment, token } = await pages.newRequest();
    await pages.pay(token, challenged);
    const fields = { act: "leave", form_token: await pages.formOf(token) };
    expect((await pages.post(token, fields, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    for (const forged of ["", "x", await pages.formOf((await pages.newRequest()).token)]) {
      expect((await pages.post(token, { act: "leave", form_token: forged })).status).toBe(303);
    }
    expect((await paymentRow(pages.world, payment.payment_id)).status).toBe("requires_action");
    for (let pressed = 0; pressed < 2; pressed++) {
      const answer = await pages.leave(token);
      expect([answer.status, answer.headers.get("location")]).toEqual([303, `/pay/${token}`]);
    }
    expect((await pages.read(token)).text).toContain('name="card_number"');
    expect((await pages.post("unknown", { act: "leave" })).status).toBe(404);
  });

  it("expires, and the form can be used again", async () => {
    const { token } = await pages.newRequest();
    await pages.pay(token, challenged);
    pages.world.clock.advance(20 * 60_000);
    await runJobs(pages.world);
    expect((await pages.read(token)).text).toContain("You did not confirm the payment with your bank.");
  });
});
