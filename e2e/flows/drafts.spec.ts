// Drafts in the dashboard: begun, saved as they are typed, resumed, and finished by keyboard alone; copies and open requests.
import type { Page } from "playwright/test";
import { expect, test } from "../fixtures";
import { openMore } from "./more-menu";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, listPath, newMember, pathOf } from "./requests";
import { enter } from "./signing-in";

test.beforeEach(({ page }) => watchForFaults(page));

/** Moves the focus to a control by the Tab key. */
async function tabTo(page: Page, name: string): Promise<void> {
  const control = page.getByRole("button", { name, exact: true });
  for (let presses = 0; presses < 60; presses++) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${name}.`);
}

test("a draft is begun, saves itself, is resumed after a reload, and finished by keyboard", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  await enter(page, `${listPath}/new`, member);
  await page.getByLabel("Amount").fill("12.50");
  await tabTo(page, "Save as draft");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/edit$/);
  await expectAccessible(page);
  await page.getByLabel("Description").fill("Blue vase");
  await page.getByLabel("Customer name").fill("Grace Hopper");
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Description")).toHaveValue("Blue vase");
  await page.goto(listPath);
  await page
    .getByRole("navigation", { name: "Payment requests by status" })
    .getByRole("link", { name: "Drafts" })
    .click();
  await page.getByRole("link", { name: "Blue vase" }).click();
  await expect(page.getByLabel("Customer name")).toHaveValue("Grace Hopper");
  await page.getByLabel("Amount").fill("a lot");
  await expect(page.getByText("Not saved yet")).toBeVisible();
  await page.getByLabel("Amount").fill("15.00");
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  await tabTo(page, "Finalize and create link");
  await page.keyboard.press("Enter");
  await expect(page.getByText("to ask for €15.00.")).toBeVisible();
  const { data } = (await api<{ data: object[] }>("GET", "/v1/payments", { token: member.token })).body;
  expect(data).toMatchObject([{ status: "pending", amount: 1500, customer: { name: "Grace Hopper" } }]);
});

test("an open payment request is changed, copied, and the copy is discarded", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  const { payment_id } = await ask(api, member, { description: "Red vase" });
  await enter(page, pathOf(payment_id), member);
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Edit payment request" })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Description").fill("Red vase, repaired");
  await page.getByLabel("Customer e-mail").fill("grace@example.com");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Changes saved.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Red vase, repaired");
  await openMore(page);
  await page.getByRole("button", { name: "Duplicate" }).click();
  await expect(page.getByLabel("Description")).toHaveValue("Red vase, repaired");
  await page.getByRole("link", { name: "Details of this draft" }).click();
  await expect(page.getByRole("button", { name: "Discard draft" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Discard draft" }).click();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Discard draft" }).click();
  await expect(page.getByText("Canceled", { exact: true }).first()).toBeVisible();
});

test("a draft that somebody else has changed meanwhile is not finalized unseen", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  const { payment_id } = await ask(api, member, { draft: true, description: "Green vase", amount: 1250 });
  await enter(page, `${pathOf(payment_id)}/edit`, member);
  await expect(page.getByLabel("Amount")).toHaveValue("12.50");
  const changed = await api("PATCH", `/v1/payments/${payment_id}`, { token: member.token, body: { amount: 99_000 } });
  expect(changed.status).toBe(200);
  await page.getByRole("button", { name: "Finalize and create link" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Somebody else has changed this" })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Amount")).toHaveValue("990.00");
  await page.getByRole("button", { name: "Finalize and create link" }).click();
  await expect(page.getByText("to ask for €990.00.")).toBeVisible();
});

test("the pay page is shown beside the form as it is typed, and not where there is no room", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, `${listPath}/new`, member);
  const preview = page.frameLocator("iframe");
  const asides = ["Preview", "Sidebar"].map((name) => page.getByRole("complementary", { name, exact: true }));
  for (const aside of asides) await expect(aside).toHaveCount(1);
  await expect(preview.getByRole("button", { name: "Pay €0.00" })).toBeVisible();
  await page.getByLabel("Description").fill("Wedding cake");
  await page.getByLabel("Amount").fill("480");
  await expect(preview.getByRole("heading", { name: "Wedding cake" })).toBeVisible();
  await expect(preview.getByRole("button", { name: "Pay €480.00" })).toBeVisible();
  await page.getByLabel("Currency").selectOption("JPY");
  await expect(preview.getByRole("button", { name: "Pay ¥480" })).toBeVisible();
  await expectAccessible(page);
  const fromElsewhere = { headers: { "Sec-Fetch-Site": "cross-site" }, data: {} };
  expect((await page.request.post(`${listPath}/preview`, fromElsewhere)).status()).toBe(403);
  const refused = await page.request.post(`${listPath}/preview`, { data: {} });
  expect([refused.status(), refused.headers()["content-security-policy"]]).toEqual([
    400,
    expect.stringMatching(/^sandbox;/),
  ]);
  await page.setViewportSize({ width: 800, height: 900 });
  await expect(page.locator("iframe")).toHaveCount(0);
  await page.context().clearCookies();
  expect((await page.request.post(`${listPath}/preview`, { data: {} })).status()).toBe(401);
});

test("the invoice is shown beside the form as it is typed, as a draft without a number", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, `${listPath}/new?type=invoice`, member);
  const preview = page.frameLocator("iframe");
  await page.getByLabel("Description").fill("Wedding cake");
  await page.getByLabel("Amount").fill("480");
  await expect(preview.getByRole("button", { name: "Pay €480.00" })).toBeVisible();
  const shows = page.getByRole("radiogroup", { name: "What the preview shows" });
  await shows.getByText("Invoice").click();
  await expect(preview.getByRole("heading", { name: "Draft invoice" })).toBeVisible();
  await page.getByLabel("Customer name").fill("Ada Lovelace");
  await page.getByLabel("Notes").fill("Thank you for your order.");
  await expect(preview.getByText("Ada Lovelace")).toBeVisible();
  await expect(preview.getByText("Thank you for your order.")).toBeVisible();
  await expect(preview.getByText("€480.00").first()).toBeVisible();
  // Nothing in it leads anywhere, and the frame runs nothing.
  await expect(preview.getByRole("button")).toHaveCount(0);
  await expect(page.locator("iframe")).toHaveAttribute("sandbox", "");
  await expectAccessible(page);
  const fromElsewhere = { headers: { "Sec-Fetch-Site": "cross-site" }, data: {} };
  expect((await page.request.post(`${listPath}/preview/invoice`, fromElsewhere)).status()).toBe(403);
  expect((await page.request.post(`${listPath}/preview/invoice`, { data: { type: "product" } })).status()).toBe(400);

  await page.getByLabel("Type", { exact: true }).selectOption("Subscription");
  await expect(preview.getByRole("button", { name: "Pay €480.00 for the first month" })).toBeVisible();
  await expect(shows).toHaveCount(0);
  await expect(page.getByText("€480.00 every month, from the day of the first payment.")).toBeVisible();
  await page.getByLabel("Trial days").fill("14");
  await page.getByLabel("Number of payments").fill("6");
  await expect(
    page.getByText(/^€480\.00 every month, after a trial of 14 days\..* 6 charges: €2,880\.00/),
  ).toBeVisible();
  await expectAccessible(page);
  await page.context().clearCookies();
  expect((await page.request.post(`${listPath}/preview/invoice`, { data: {} })).status()).toBe(401);
});
