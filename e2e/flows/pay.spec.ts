// A customer with a pay link in a browser: pays, is declined, comes back, opens two tabs, disables scripts.
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, authorizeButton, cards, declineUntilPaused, fill, heading, payButton, payWith, statusOf } from "./payer";

test.describe("in a browser", () => {
  test.beforeEach(({ page }) => watchForFaults(page));

  test("one card is declined, another pays, and the page shows the payment from then on", async ({
    page,
    api,
    adminToken,
  }) => {
    const request = await ask(api, adminToken, { success_url: "https://shop.example.com/thanks" });
    await page.goto(request.payment_url);
    await expect(page).toHaveTitle(/^Invoice · /);
    await expectAccessible(page);

    await fill(page, cards.noFunds);
    await payButton(page).click();
    await expect(page.getByRole("alert")).toContainText("This card does not have enough funds.");
    await expect(page.getByLabel("Card number")).toHaveValue("");
    await expectAccessible(page);

    // Our own messages instead of the browser's, which come one at a time and in its language.
    await payButton(page).click();
    await expect(page.getByLabel("Card number")).toBeFocused();
    await expect(page.getByLabel("Security code")).toHaveAccessibleDescription(/^Enter the security code/);
    await fill(page, "4111 1111 1111 1111", "1/20");
    await payButton(page).click();
    await page.getByRole("alert").getByRole("link", { name: "Expiry date" }).click();
    await expect(page.getByLabel("Expiry date")).toHaveAccessibleDescription(/The card has expired/);
    await expectAccessible(page);

    await fill(page, cards.good);
    await payButton(page).click();
    await expect(page.getByRole("heading", { name: "Payment received" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Return to shop.example.com" })).toBeVisible();
    await expectAccessible(page);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Payment received" })).toBeVisible();
    expect(await statusOf(api, adminToken, request)).toBe("paid");
  });

  test("the back button and a second tab do not pay twice", async ({ page, context, api, adminToken }) => {
    const request = await ask(api, adminToken);
    const second = await context.newPage();
    await second.goto(request.payment_url);
    await page.goto(request.payment_url);
    await fill(page, cards.good);
    await payButton(page).dblclick();
    await expect(page.getByRole("heading", { name: "Payment received" })).toBeVisible();
    await page.goBack();
    if (await payButton(page).isVisible()) {
      await fill(page, cards.good);
      await payButton(page).click();
    }
    await expect(page.getByRole("heading", { name: "Payment received" })).toBeVisible();
    await fill(second, cards.good);
    await payButton(second).click();
    await expect(second.getByRole("heading", { name: "Payment received" })).toBeVisible();
    const { body } = await api<{ data: unknown[] }>("GET", `/v1/transactions?payment_id=${request.payment_id}`, {
      token: adminToken,
    });
    expect(body.data).toHaveLength(1);
  });

  test("works by keyboard alone", async ({ page, api, adminToken }) => {
    // An invoice has a link before the form.
    await page.goto((await ask(api, adminToken, { type: "product", due_at: undefined })).payment_url);
    for (const typed of ["4242424242424242", "1234", "123"]) {
      await page.keyboard.press("Tab");
      await page.keyboard.type(typed);
    }
    await page.keyboard.press("Tab");
    await expect(payButton(page)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Payment received" })).toBeVisible();
  });

  test("every state is accessible", async ({ page, api, adminToken, server }) => {
    test.slow();
    const { payment_id: refunded, payment_url: refundedUrl } = await ask(api, adminToken);
    const call = (path: string, body: object = {}) => api("POST", `/v1/payments/${path}`, { token: adminToken, body });
    const canceled = await ask(api, adminToken);
    await call(`${canceled.payment_id}/cancel`);
    const expiring = await ask(api, adminToken, { expires_at: new Date(Date.now() + 2_000).toISOString() });

    const held = await ask(api, adminToken, { capture_method: "manual" });
    await payWith(page, held, cards.good, "123", authorizeButton);
    await expect(heading(page, "Payment authorized")).toBeVisible();
    await expectAccessible(page);

    const lost = await ask(api, adminToken);
    await payWith(page, lost, cards.troubled, "998");
    await expect(heading(page, "Payment in progress")).toBeVisible();
    // A page that has reloaded often waits longer before it reloads again.
    await page.goto(`${lost.payment_url}?check=7`);
    await expectAccessible(page);

    await declineUntilPaused(page, await ask(api, adminToken));
    await expect(heading(page, "Card payments paused")).toBeVisible();
    await expectAccessible(page);

    await payWith(page, { payment_id: refunded, payment_url: refundedUrl }, cards.good);
    await call(`${refunded}/refund`, { amount: 900 });
    await page.reload();
    await expect(heading(page, "Payment partly refunded")).toBeVisible();
    await expectAccessible(page);
    await call(`${refunded}/refund`);
    await page.reload();
    await expect(heading(page, "Payment refunded")).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${refundedUrl}/receipt`);
    await expect(page.getByText("Paid after refunds")).toBeVisible();
    await expectAccessible(page);

    const returned = await ask(api, adminToken);
    await payWith(page, returned, cards.good);
    await expect(heading(page, "Payment received")).toBeVisible();
    for (const event of ["dispute", "dispute_lost"]) {
      const simulated = { token: adminToken, body: { event } };
      await api("POST", `/v1/sandbox/payments/${returned.payment_id}/simulate`, simulated);
    }
    await page.reload();
    await expect(page.getByText(/ was returned to you, by your bank or by a refund\.$/)).toBeVisible();
    await expectAccessible(page);

    await page.goto(canceled.payment_url);
    await expect(heading(page, "Request canceled")).toBeVisible();
    await expectAccessible(page);
    await page.goto(expiring.payment_url);
    await expect(heading(page, "Request expired")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Ask for a new link" }).press("Enter");
    await expect(page.getByText(/^Your request is recorded for .*, but no e-mail could be sent\./)).toBeVisible();
    await expectAccessible(page);

    const response = await page.goto(`${server.url}/pay/unknown`);
    expect(response?.status()).toBe(404);
    await expect(heading(page, "Page not found")).toBeVisible();
    await expectAccessible(page);
  });

  test("the page is small, loads nothing else, and reports once that it was seen", async ({
    page,
    api,
    adminToken,
  }) => {
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    const { payment_id, payment_url } = await ask(api, adminToken);
    const report = page.waitForResponse((sent) => sent.request().method() === "POST");
    const response = await page.goto(payment_url);
    expect((await response?.body())?.length).toBeLessThan(30_000);
    expect((await report).status()).toBe(204);
    const viewedAt = async () => (await api("GET", `/v1/payments/${payment_id}`, { token: adminToken })).body.viewed_at;
    const seen = await viewedAt();
    expect(seen).not.toBeNull();
    await page.reload();
    expect(loaded.filter((url) => url.startsWith("http"))).toEqual([payment_url, payment_url, payment_url]);
    expect(await page.content()).not.toContain("sendBeacon");
    expect(await viewedAt()).toBe(seen);
    expect(response?.headers()).toMatchObject({ "referrer-policy": "no-referrer", "cache-control": "no-store" });
  });

  test("everything is in German once the payer chooses German", async ({ page, api, adminToken }) => {
    const request = await ask(api, adminToken);
    await page.goto(request.payment_url);
    await page.getByRole("link", { name: "Deutsch" }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await page.getByLabel("Kartennummer").fill(cards.noFunds);
    await page.getByLabel("Gültig bis").fill("12/34");
    await page.getByLabel("Prüfnummer").fill("123");
    await page.getByRole("button", { name: "1.249,00 € bezahlen" }).click();
    await expect(page.getByRole("alert")).toContainText("Diese Karte ist nicht ausreichend gedeckt.");
    await expect(page).toHaveTitle(/^Nicht bezahlt: Rechnung · /);
    await page.getByLabel("Kartennummer").fill(cards.good);
    await page.getByLabel("Gültig bis").fill("12/34");
    await page.getByLabel("Prüfnummer").fill("123");
    await page.getByRole("button", { name: "1.249,00 € bezahlen" }).click();
    await expect(heading(page, "Zahlung erhalten")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Zahlungsbeleg ansehen" }).click();
    await expect(heading(page, "Zahlungsbeleg")).toBeVisible();
    await expect(page.getByRole("button", { name: "Drucken" })).toBeVisible();
  });
});

test.describe("in a German browser", () => {
  test.use({ locale: "de-DE" });

  test("the page is in German unless the payment request sets a language", async ({ page, api, adminToken }) => {
    await page.goto((await ask(api, adminToken)).payment_url);
    await expect(page.getByRole("button", { name: "1.249,00 € bezahlen" })).toBeVisible();
    await page.goto((await ask(api, adminToken, { locale: "en" })).payment_url);
    await expect(payButton(page)).toBeVisible();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a card pays on a phone, where a long description opens", async ({ page, api, adminToken }) => {
    const long = "Sourdough course with rye, spelt and einkorn. ".repeat(4);
    const request = await ask(api, adminToken, { description: long });
    await page.setViewportSize({ width: 375, height: 740 });
    await page.goto(request.payment_url);
    await expect(payButton(page)).toBeInViewport({ ratio: 1 });
    const description = page.getByText("Sourdough course with rye");
    const cut = (await description.boundingBox())?.height ?? 0;
    await page.getByText("Whole description").click();
    expect((await description.boundingBox())?.height).toBeGreaterThan(cut);
    await fill(page, "5555 5555 5555 4444");
    await payButton(page).click();
    await expect(page.getByRole("heading", { name: "Payment received" })).toBeVisible();
    expect(await statusOf(api, adminToken, request)).toBe("paid");
  });

  test("line items are folded on a phone, and shown on a wide screen and on paper", async ({
    page,
    api,
    adminToken,
  }) => {
    const line_items = [
      { name: "Sourdough course", quantity: 1, unit_amount: 100_000, tax_rate_bp: 1900 },
      { name: "Book", quantity: 2, unit_amount: 2_804, tax_rate_bp: 700, discount_amount: 991 },
    ];
    const request = await ask(api, adminToken, { amount: undefined, line_items });
    const [details, tax] = [
      page.getByText("Sourdough course and 1 more item", { exact: true }),
      page.getByText("Tax 19%"),
    ];
    // Who asks, for what, and how much, and the button, without opening anything.
    for (const [width, height] of [
      [320, 640],
      [375, 667],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(request.payment_url);
      const pays = page.getByRole("button", { name: /^Pay €/ });
      const amount = page.locator(".amount");
      for (const part of [page.locator(".from"), amount, page.getByRole("heading", { level: 1 }), details, pays])
        await expect(part).toBeInViewport({ ratio: 1 });
      await expect(tax).toBeHidden();
    }
    await details.click();
    await expect(tax).toBeVisible();
    await details.click();
    await expect(tax).toBeHidden();
    await page.emulateMedia({ media: "print" });
    await expect(tax).toBeVisible();
    await page.emulateMedia({ media: "screen" });
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(tax).toBeVisible();
    await expect(details).toBeHidden();
  });
});

test("a form on another site cannot pay", async ({ page, api, adminToken }) => {
  const request = await ask(api, adminToken);
  const form = /name="form_token" value="([^"]+)"/.exec(await (await fetch(request.payment_url)).text())?.[1];
  const fields = { form_token: form, card_number: cards.good, expiry: "12/34", security_code: "123" };
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
  await page.route("http://localhost:1/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<form method="post" action="${request.payment_url}">${inputs.join("")}<button>Win</button></form>`,
    }),
  );
  await page.goto("http://localhost:1/");
  await page.getByRole("button", { name: "Win" }).click();
  await expect(page.getByRole("heading", { name: "Form not accepted" })).toBeVisible();
  expect(await statusOf(api, adminToken, request)).toBe("pending");
});
