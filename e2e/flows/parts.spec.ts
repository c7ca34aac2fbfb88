// Payment requests that are paid in parts: the form that plans them, and payers who choose what to pay.
import type { Page } from "playwright/test";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, cards, fill, heading } from "./payer";
import { listPath, newMember, pathOf } from "./requests";
import { enter, enterAt, tabTo } from "./signing-in";

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const three = { amount: 30_000, type: "product", description: "Garden house" };
const planned = {
  ...three,
  installments: [
    { amount: 10_000, due_at: day(5) },
    { amount: 10_000, due_at: day(35) },
    { amount: 10_000, due_at: day(65) },
  ],
};

const submit = (page: Page) => page.getByRole("button", { name: /^Pay (€|chosen amount)/ });

test.describe("in a browser", () => {
  test.beforeEach(({ page }) => watchForFaults(page));

  test("installments are paid one, then all, and each payment has its receipt", async ({ page, api, adminToken }) => {
    test.slow(true, "Four states are checked for accessibility at three widths in both schemes.");
    const { payment_id, payment_url } = await ask(api, adminToken, planned);
    await page.goto(payment_url);
    const choices = page.getByRole("group", { name: "How much do you want to pay?" });
    await expect(choices.getByRole("radio", { name: /^Next installment.*€100\.00$/ })).toBeChecked();
    await expect(choices.getByRole("radio", { name: /^The full amount.*€300\.00$/ })).toBeVisible();
    await expect(submit(page)).toHaveAccessibleName("Pay €100.00");
    await expect(page.getByText("now, of €300.00")).toBeVisible();
    await expectAccessible(page);
    await fill(page, cards.good);
    await submit(page).click();
    await expect(page.getByText(/^€100\.00 received on /)).toBeVisible();
    await expect(choices.getByRole("radio", { name: /^All that is left.*€200\.00$/ })).toBeVisible();
    await expectAccessible(page);
    await choices.getByRole("radio", { name: /^All that is left/ }).check();
    await fill(page, cards.good);
    await submit(page).click();
    await expect(heading(page, "Payment received")).toBeVisible();
    await expectAccessible(page);
    const { body } = await api("GET", `/v1/payments/${payment_id}`, { token: adminToken });
    expect(body).toMatchObject({ status: "paid", amount_paid: 30_000, amount_due: 0 });
    await page.getByRole("link", { name: "View receipt" }).click();
    await expect(heading(page, "Receipt")).toBeVisible();
    await expectAccessible(page);
  });

  test("an own amount is paid by keyboard alone, within the bounds", async ({ page, api, adminToken }) => {
    const terms = { ...three, allow_partial: true, minimum_amount: 5_000 };
    const { payment_id, payment_url } = await ask(api, adminToken, terms);
    await page.goto(payment_url);
    const amount = page.getByLabel("Amount in EUR");
    await expect(amount).toHaveAccessibleDescription("From €50.00 to €250.00, or €300.00.");
    await tabTo(page, page.getByRole("radio", { name: /^The full amount/ }));
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("radio", { name: "Another amount" })).toBeChecked();
    await expect(submit(page)).toHaveAccessibleName("Pay chosen amount");
    await page.keyboard.press("ArrowUp");
    await expect(submit(page)).toHaveAccessibleName("Pay €300.00");
    await tabTo(page, amount);
    await page.keyboard.type("280");
    // Typing chooses the own amount.
    await expect(page.getByRole("radio", { name: "Another amount" })).toBeChecked();
    await fill(page, cards.good);
    await enterAt(page, submit(page));
    await expect(amount).toBeFocused();
    await expect(amount).toHaveAccessibleDescription(/That would leave less than the smallest part\./);
    await expect(amount).toHaveValue("280");
    await expectAccessible(page);
    await amount.fill("120.50");
    await fill(page, cards.good);
    await enterAt(page, submit(page));
    await expect(page.getByText(/^€120\.50 received on /)).toBeVisible();
    const { body } = await api("GET", `/v1/payments/${payment_id}`, { token: adminToken });
    expect(body).toMatchObject({ status: "partially_paid", amount_paid: 12_050, amount_due: 17_950 });
  });

  test("a page that was opened before the amount changed charges nothing", async ({ page, api, adminToken }) => {
    const { payment_id, payment_url } = await ask(api, adminToken, planned);
    await page.goto(payment_url);
    await page.getByRole("radio", { name: /^The full amount/ }).check();
    await fill(page, cards.good);
    const cash = { token: adminToken, body: { amount: 4_000, method: "cash", reason: "At the counter" } };
    await api("POST", `/v1/payments/${payment_id}/mark_paid`, cash);
    await submit(page).click();
    await expect(page.getByRole("alert")).toContainText("The amount has changed since you opened this page.");
    await expect(page.getByRole("radio", { name: /^All that is left.*€260\.00$/ })).toBeVisible();
    const { body } = await api("GET", `/v1/payments/${payment_id}`, { token: adminToken });
    expect(body).toMatchObject({ amount_paid: 4_000 });
  });

  test("a member plans monthly installments, sees them beside the form, and how they are paid", async ({
    page,
    api,
    adminToken,
  }) => {
    const member = await newMember(api, adminToken);
    await page.setViewportSize({ width: 1440, height: 900 });
    await enter(page, `${listPath}/new`, member);
    await page.getByLabel("Description").fill("Garden house");
    await page.getByLabel("Amount", { exact: true }).fill("100");
    await page.getByRole("button", { name: "More options" }).click();
    await page.getByLabel("Payment in parts").selectOption("Monthly installments");
    await page.getByLabel("First due on").fill(day(10).slice(0, 10));
    await expect(page.getByRole("status").filter({ hasText: "3 installments, the first of €33.34" })).toBeVisible();
    const preview = page.frameLocator("iframe");
    await expect(preview.getByRole("heading", { name: "Installments" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create payment request" }).click();
    await expect(page.getByText("0 of 3 paid")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Mark as paid" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel("Amount received")).toHaveValue("33.34");
    await dialog.getByLabel("Note").fill("In cash");
    await page.keyboard.press("Enter");
    await expect(page.getByText("1 of 3 paid")).toBeVisible();
    expect(page.url()).toContain(pathOf("pay_"));
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the next installment is paid on a phone", async ({ page, api, adminToken }) => {
    const { payment_url } = await ask(api, adminToken, planned);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(payment_url);
    await fill(page, cards.good);
    await submit(page).click();
    await expect(page.getByText(/^€100\.00 received on /)).toBeVisible();
  });
});
