// What a customer does with a pay link in a browser: pays, is declined, comes back, opens it twice, without scripts.
import type { Page } from "playwright/test";
import type { Api } from "../api";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";

interface Request {
  payment_id: string;
  payment_url: string;
}

async function ask(api: Api, token: string, more: object = {}): Promise<Request> {
  const body = { type: "invoice", amount: 124900, currency: "EUR", description: "Sourdough course", ...more };
  const reply = await api<Request>("POST", "/v1/payments", { token, body });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function statusOf(api: Api, token: string, { payment_id }: Request): Promise<unknown> {
  return (await api("GET", `/v1/payments/${payment_id}/status`, { token })).body.status;
}

async function fill(page: Page, number: string, expiry = "12 / 34", code = "123") {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry date").fill(expiry);
  await page.getByLabel("Security code").fill(code);
}

const payButton = (page: Page) => page.getByRole("button", { name: "Pay €1,249.00" });
const good = "4242 4242 4242 4242";

test.describe("in a browser", () => {
  test.beforeEach(({ page }) => watchForFaults(page));

  test("a card is declined, another one pays, and the page says so from then on", async ({ page, api, adminToken }) => {
    const request = await ask(api, adminToken, { success_url: "https://shop.example.com/thanks" });
    await page.goto(request.payment_url);
    await expect(page).toHaveTitle(/^Invoice · /);
    await expectAccessible(page);

    await fill(page, "4000 0000 0000 9995");
    await payButton(page).click();
    await expect(page.getByRole("alert")).toContainText("There is not enough money on this card.");
    await expect(page.getByLabel("Card number")).toHaveValue("");
    await expectAccessible(page);

    await fill(page, "4111 1111 1111 1111", "1/20");
    await payButton(page).click();
    await page.getByRole("alert").getByRole("link", { name: "Expiry date" }).click();
    await expect(page.getByLabel("Expiry date")).toHaveAccessibleDescription(/The card has expired/);
    await expectAccessible(page);

    await fill(page, good);
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
    await fill(page, good);
    await payButton(page).dblclick();
    await expect(page.getByRole("heading", { name: "Payment received" })).toBeVisible();
    await page.goBack();
    if (await payButton(page).isVisible()) {
      await fill(page, good);
      await payButton(page).click();
    }
    await expect(page.getByRole("heading", { name: "Payment received" })).toBeVisible();
    await fill(second, good);
    await payButton(second).click();
    await expect(second.getByRole("heading", { name: "Payment received" })).toBeVisible();
    const { body } = await api<{ data: unknown[] }>("GET", `/v1/transactions?payment_id=${request.payment_id}`, {
      token: adminToken,
    });
    expect(body.data).toHaveLength(1);
  });

  test("works by keyboard alone", async ({ page, api, adminToken }) => {
    await page.goto((await ask(api, adminToken)).payment_url);
    for (const typed of ["4242424242424242", "1234", "123"]) {
      await page.keyboard.press("Tab");
      await page.keyboard.type(typed);
    }
    await page.keyboard.press("Tab");
    await expect(payButton(page)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Payment received" })).toBeVisible();
  });

  test("every other state is told plainly", async ({ page, api, adminToken, server }) => {
    const canceled = await ask(api, adminToken);
    await api("POST", `/v1/payments/${canceled.payment_id}/cancel`, { token: adminToken });
    await page.goto(canceled.payment_url);
    await expect(page.getByRole("heading", { name: "Request canceled" })).toBeVisible();
    await expectAccessible(page);

    const held = await ask(api, adminToken, { capture_method: "manual" });
    await page.goto(held.payment_url);
    await fill(page, good);
    await payButton(page).click();
    await expect(page.getByRole("heading", { name: "Payment authorized" })).toBeVisible();
    await expectAccessible(page);

    const lost = await ask(api, adminToken);
    await page.goto(lost.payment_url);
    await fill(page, "4000 0000 0000 0119", "12/34", "998");
    await payButton(page).click();
    await expect(page.getByRole("heading", { name: "Payment in progress" })).toBeVisible();

    const response = await page.goto(`${server.url}/pay/unknown`);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
    await expectAccessible(page);
  });

  test("the page is small, loads nothing else, and stands at 320 px", async ({ page, api, adminToken }) => {
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    const { payment_url } = await ask(api, adminToken);
    const response = await page.goto(payment_url);
    expect(loaded.filter((url) => url.startsWith("http"))).toEqual([payment_url]);
    expect((await response?.body())?.length).toBeLessThan(30_000);
    expect(response?.headers()).toMatchObject({ "referrer-policy": "no-referrer", "cache-control": "no-store" });
    await page.setViewportSize({ width: 320, height: 640 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a card pays", async ({ page, api, adminToken }) => {
    const request = await ask(api, adminToken);
    await page.goto(request.payment_url);
    await fill(page, "5555 5555 5555 4444");
    await payButton(page).click();
    await expect(page.getByRole("heading", { name: "Payment received" })).toBeVisible();
    expect(await statusOf(api, adminToken, request)).toBe("paid");
  });
});

test("a form on another site cannot pay", async ({ page, api, adminToken }) => {
  const request = await ask(api, adminToken);
  const form = /name="form_token" value="([^"]+)"/.exec(await (await fetch(request.payment_url)).text())?.[1];
  const fields = { form_token: form, card_number: good, expiry: "12/34", security_code: "123" };
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
