// The card link of a subscription: made in the dashboard, opened by the customer, who stores another card by keyboard.
import type { Page } from "playwright/test";
import type { Api } from "../api";
import { newEmail } from "../contract/people";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { cards, fill, heading } from "./payer";
import { enter, enterAt, tabTo } from "./signing-in";

test.beforeEach(({ page }) => watchForFaults(page));

/** Begins a subscription on the pay page. Resolves to its id. */
async function subscribed(page: Page, api: Api, token: string, description: string, card = cards.good) {
  const customer = { name: `Payer of ${description}`, email: newEmail() };
  const body = { type: "subscription", amount: 900, currency: "EUR", description, customer };
  const asked = await api<{ payment_id: string; payment_url: string }>("POST", "/v1/payments", {
    token,
    body: { ...body, subscription: { interval: "month", interval_count: 1 } },
  });
  expect(asked.status, asked.text).toBe(200);
  await page.goto(asked.body.payment_url);
  await fill(page, card);
  await page.getByRole("button", { name: "Pay €9.00 for the first month" }).click();
  await expect(heading(page, "Payment received")).toBeVisible();
  const paid = await api<{ subscription_id: string }>("GET", `/v1/payments/${asked.body.payment_id}`, { token });
  return paid.body.subscription_id;
}

/** Types a card from the focused number on, and sends the form. */
async function type(page: Page, number: string): Promise<void> {
  await tabTo(page, page.getByLabel("Card number"));
  await page.keyboard.type(number.replaceAll(" ", ""));
  await page.keyboard.press("Tab");
  await page.keyboard.type("1234");
  await page.keyboard.press("Tab");
  await page.keyboard.type("123");
  await page.keyboard.press("Enter");
}

test("a customer changes the card by a link, by keyboard alone", async ({ page, api, adminToken }) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const id = await subscribed(page, api, adminToken, "Card box");
  await enter(page, `/dashboard/subscriptions/${id}`);
  await enterAt(page, page.getByRole("button", { name: "Link to change the card" }));
  await expect(page.getByText("With this link the customer stores another card, without paying.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("radio", { name: "I hand it over myself" }).check();
  await enterAt(page, page.getByRole("button", { name: "Create link" }));
  await expect(page.getByRole("heading", { name: "The link is ready" })).toBeFocused();
  await expectAccessible(page);
  const url = (await page.locator("dialog code").textContent()) ?? "";
  expect(url).toMatch(/\/card\/qtsm_\w{49}$/);

  await page.goto(url);
  await expect(heading(page, "Change your card")).toBeVisible();
  await expect(page.getByText("€9.00 every month")).toBeVisible();
  await expect(page.getByText("Visa ending in 4242")).toBeVisible();
  await expectAccessible(page);
  for (const language of ["de", "fr", "es", "ja", "ar"]) {
    await page.goto(`${url}?lang=${language}`);
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await expect(page.locator("h1")).toBeVisible();
  }
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expectAccessible(page);

  await page.goto(url);
  await type(page, "1");
  await expect(page.getByLabel("Card number")).toBeFocused();
  await expect(page.getByText("Enter the number shown on your card.")).toBeVisible();
  await expect(page).toHaveTitle(/^Not changed: /);
  await expectAccessible(page);
  await type(page, cards.noFunds);
  await expect(page.getByRole("alert")).toContainText("This card does not have enough funds.");
  await expect(page.getByRole("alert")).toBeFocused();
  await type(page, cards.challenged);
  await expect(heading(page, "Confirm your payment")).toBeVisible();
  await page.getByRole("link", { name: "Abandon" }).click();
  await expect(heading(page, "Confirm with your bank")).toBeVisible();
  await expectAccessible(page);
  await enterAt(page, page.getByRole("button", { name: "Use another card" }));
  await type(page, cards.challenged);
  await enterAt(page, page.getByRole("button", { name: "Complete" }));
  await expect(heading(page, "Your card was changed")).toBeVisible();
  await expect(page.getByText("Visa ending in 3184")).toBeVisible();
  await expectAccessible(page);
  expect(page.url()).toBe(url);

  await page.goto(`/dashboard/subscriptions/${id}`);
  await expect(page.getByText("Card changed by the customer")).toBeVisible();
  await expect(page.getByText("Visa •••• 3184").first()).toBeVisible();
  await page.goto("/card/unknown");
  await expect(heading(page, "This link is no longer valid")).toBeVisible();
  await expectAccessible(page);
});

test("a link is mailed to the customer, and ends the one before", async ({ page, api, adminToken, browser }) => {
  const id = await subscribed(page, api, adminToken, "Letter box");
  const first = await api<{ url: string }>("POST", `/v1/subscriptions/${id}/card_link`, { token: adminToken });
  expect(first.status, first.text).toBe(200);
  await enter(page, `/dashboard/subscriptions/${id}`);
  await enterAt(page, page.getByRole("button", { name: "Link to change the card" }));
  await expect(page.getByRole("radio", { name: /^By e-mail to / })).toBeChecked();
  await enterAt(page, page.getByRole("button", { name: "Create link" }));
  await expect(page.getByText("The e-mail with it is queued.")).toBeVisible();
  const url = (await page.locator("dialog code").textContent()) ?? "";
  await enterAt(page, page.getByRole("button", { name: "Done" }));
  // Without a script, as any program for mails might open it.
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const reader = await plain.newPage();
  await reader.goto(first.body.url);
  await expect(heading(reader, "This link is no longer valid")).toBeVisible();
  await reader.goto(url);
  await fill(reader, "5555 5555 5555 4444");
  await reader.getByRole("button", { name: "Use this card" }).click();
  await expect(heading(reader, "Your card was changed")).toBeVisible();
  await plain.close();
});
