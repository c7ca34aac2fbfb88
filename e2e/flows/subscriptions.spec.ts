// Subscriptions in the dashboard: begun on the pay page, renewed as the sandbox clock moves, paused, resumed and canceled.
import type { Api } from "../api";
import { memberPassword, newEmail } from "../contract/people";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { cards, fill } from "./payer";
import { enter, enterAt, tabTo } from "./signing-in";

// Whatever other tests create would be in the past.
test.use({ apart: "subscriptions" });
test.beforeEach(({ page }) => watchForFaults(page));

const list = "/dashboard/subscriptions";

async function asked(api: Api, token: string, description: string, subscription: object = {}): Promise<string> {
  const terms = { interval: "month", interval_count: 1, ...subscription };
  const customer = { name: `Payer of ${description}`, email: newEmail() };
  const body = { type: "subscription", amount: 900, currency: "EUR", description, customer, subscription: terms };
  const reply = await api<{ payment_url: string }>("POST", "/v1/payments", { token, body });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.payment_url;
}

test("a subscription is begun, renewed, changed, paused, resumed and canceled", async ({ page, api, adminToken }) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  await enter(page, list);
  await expect(page.getByRole("heading", { name: "No subscriptions yet" })).toBeVisible();
  await expectAccessible(page);

  await page.goto(await asked(api, adminToken, "Bread box"));
  await fill(page, cards.good);
  await page.getByRole("button", { name: "Pay €9.00 for the first month" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment received" })).toBeVisible();

  await page.goto(list);
  const row = page.getByRole("row").filter({ hasText: "Payer of Bread box" });
  await expect(row).toContainText("9.00 EUR every month");
  await expect(row).toContainText("Active");
  await expect(row).toContainText("Visa •••• 4242");
  await expectAccessible(page);
  await enterAt(page, row.getByRole("link").first());
  await expect(page.getByRole("heading", { level: 1, name: "Bread box" })).toBeVisible();
  await expect(page.getByText(/€9\.00 is charged on/)).toBeVisible();
  await expectAccessible(page);
  const path = new URL(page.url()).pathname;

  await enterAt(page, page.getByRole("button", { name: "Change amount" }));
  await expectAccessible(page);
  await page.getByLabel("New amount").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("12");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Changed the amount to €12.00." })).toBeVisible();

  const { body } = await api<{ now: string }>("GET", "/v1/sandbox/clock", { token: adminToken });
  const day = new Date(Date.parse(body.now) + 32 * 86_400_000).toISOString().slice(0, 10);
  await page.goto("/dashboard/settings/sandbox");
  await page.getByLabel("To the start of a day").fill(day);
  await page.getByRole("button", { name: "Move to this day" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Moved the clock." })).toBeVisible();
  await expect(async () => {
    await page.goto(path);
    await expect(page.getByRole("link", { name: "Cycle 2" })).toBeVisible({ timeout: 1_000 });
    await expect(page.getByText("Renewal paid")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const cycle = page.getByRole("listitem").filter({ hasText: "Cycle 2" });
  await expect(cycle).toContainText("€12.00");
  await cycle.getByRole("link").click();
  await expect(page.getByRole("link", { name: "Open subscription" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open subscription" }).click();
  await page.waitForURL(`**${path}`);

  await enterAt(page, page.getByRole("button", { name: "Pause" }));
  await expect(page.getByText("Nothing is charged during the pause.")).toBeVisible();
  await expectAccessible(page);
  await enterAt(page, page.getByRole("dialog").getByRole("button", { name: "Pause" }));
  await expect(page.getByRole("status").filter({ hasText: "Paused “Bread box”." })).toBeVisible();
  await enterAt(page, page.getByRole("button", { name: "Resume" }));
  await expectAccessible(page);
  await enterAt(page, page.getByRole("dialog").getByRole("button", { name: "Resume" }));
  await expect(page.getByRole("status").filter({ hasText: "Resumed “Bread box”." })).toBeVisible();

  await enterAt(page, page.getByRole("button", { name: "Cancel subscription" }));
  await expectAccessible(page);
  await tabTo(page, page.getByRole("dialog").getByRole("button", { name: "Cancel subscription" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "“Bread box” ends" })).toBeVisible();
  await expect(page.getByText(/^Ends on .+ Nothing more is charged\.$/)).toBeVisible();

  await enterAt(page, page.getByRole("button", { name: "Keep subscription" }));
  await expectAccessible(page);
  await enterAt(page, page.getByRole("dialog").getByRole("button", { name: "Keep subscription" }));
  await expect(page.getByRole("status").filter({ hasText: "“Bread box” continues." })).toBeVisible();
});

test("viewers see a subscription, and change none", async ({ page, api, adminToken }) => {
  await page.goto(await asked(api, adminToken, "Trial box", { trial_days: 14 }));
  await expect(page.getByText("Free for 14 days")).toBeVisible();
  await fill(page, cards.good);
  await page.getByRole("button", { name: "Start the free trial" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your trial has begun" })).toBeVisible();
  await expectAccessible(page);
  const email = newEmail();
  await api("POST", "/v1/users", { token: adminToken, body: { email, password: memberPassword, role: "viewer" } });
  await enter(page, `${list}?status=trialing`, { email, password: memberPassword });
  await page.getByRole("link", { name: "Payer of Trial box" }).click();
  await expect(page.getByText(/^The trial ends on .+ €9\.00 is charged then\.$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel subscription" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
});

test("Home leads to what is past due, and the list becomes a view with columns of its own", async ({
  page,
  api,
  adminToken,
}) => {
  await page.goto(await asked(api, adminToken, "Late box"));
  await fill(page, cards.declinedLater);
  await page.getByRole("button", { name: "Pay €9.00 for the first month" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment received" })).toBeVisible();
  const moved = await api("POST", "/v1/sandbox/clock", { token: adminToken, body: { advance: "P32D" } });
  expect(moved.status, moved.text).toBe(200);

  await enter(page, "/dashboard");
  const line = page.getByRole("listitem").filter({ hasText: "1 subscription is past due" });
  await line.getByRole("link", { name: "Show these subscriptions" }).click();
  await page.waitForURL(`**${list}?status=past_due`);
  await expect(page.getByRole("status").filter({ hasText: "1 match" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Payer of Late box" })).toContainText("Past due");

  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Late payers");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Saved the view “Late payers”." })).toBeVisible();
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByLabel("Created", { exact: true }).check();
  await page.getByLabel("Card", { exact: true }).uncheck();
  await expect(page.getByRole("columnheader", { name: "Card" })).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(list);
  await expect(page.getByRole("columnheader", { name: "Created" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Card" })).toHaveCount(0);
  await enterAt(page, page.getByRole("button", { name: "Views" }));
  await page.getByRole("menuitem", { name: "Late payers" }).click();
  await expect(page.getByRole("status").filter({ hasText: "1 match" })).toBeVisible();
});

test("what is typed into the search box while an answer arrives stays there", async ({ page, api, adminToken }) => {
  await page.goto(await asked(api, adminToken, "Spelt box"));
  await fill(page, cards.good);
  await page.getByRole("button", { name: /^Pay / }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment received" })).toBeVisible();
  await enter(page, list);
  const box = page.getByRole("searchbox", { name: "Name, e-mail, text or ID" });
  const held: (() => void)[] = [];
  await page.route(/q=rye/, async (route) => {
    await new Promise<void>((go) => held.push(go));
    await route.continue();
  });
  await box.fill("rye");
  await page.keyboard.press("Enter");
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await box.fill("barley");
  for (const go of held) go();
  await expect(page).toHaveURL(/q=rye/);
  await expect(page.getByText("Search: “rye”")).toBeVisible();
  await expect(box).toHaveValue("barley");
  await expect(box).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/q=barley/);
  // Another address resets the text that was asked for.
  await page.getByRole("link", { name: "Clear all" }).first().click();
  await expect(box).toHaveValue("");
});

test("the list of subscriptions is searched by what they are for and by their customers", async ({
  page,
  api,
  adminToken,
}) => {
  for (const description of ["Rye box", "Oat box"]) {
    await page.goto(await asked(api, adminToken, description));
    await fill(page, cards.good);
    await page.getByRole("button", { name: /^Pay / }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Payment received" })).toBeVisible();
  }
  await enter(page, list);
  const rows = page.locator("[data-row]");
  for (const words of ["oat", "PAYER of öat"]) {
    await page.getByRole("searchbox", { name: "Name, e-mail, text or ID" }).fill(words);
    await page.keyboard.press("Enter");
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText("Payer of Oat box");
  }
  await page.getByRole("searchbox", { name: "Name, e-mail, text or ID" }).fill("barley");
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(0);
  await expectAccessible(page);
});
