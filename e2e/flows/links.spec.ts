// Reusable links: made in the dashboard, used by several payers with and without JavaScript, and seen with their payers.
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, cards, fill, heading } from "./payer";
import { listPath, newMember } from "./requests";
import { enter, enterAt, tabTo } from "./signing-in";

const seat = { name: "Seat", quantity: 1, unit_amount: 4_900, adjustable_quantity: { minimum: 1, maximum: 4 } };
const course = {
  type: "product",
  amount: undefined,
  description: "Sourdough course",
  usage_limit: 2,
  line_items: [seat],
};

test.describe("in a browser", () => {
  test.beforeEach(({ page }) => watchForFaults(page));

  test("a member makes a link, payers use it by keyboard, and the member sees them", async ({
    page,
    api,
    adminToken,
  }) => {
    test.slow(true, "Five states are checked for accessibility at three widths in both schemes.");
    const member = await newMember(api, adminToken);
    await page.setViewportSize({ width: 1440, height: 900 });
    await enter(page, `${listPath}/new`, member);
    await page.getByLabel("Description").fill("Seats for the tasting");
    await page.getByLabel("Amount", { exact: true }).fill("12.50");
    await page.getByRole("button", { name: "More options" }).click();
    await page.getByLabel("How often it can be paid").selectOption("A limited number of times");
    await page.getByLabel(/^Number of payments/).fill("3");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create payment request" }).click();
    await expect(page.getByText("0 of 3", { exact: true })).toBeVisible();
    await expect(page.getByRole("img", { name: /QR/ })).toBeVisible();
    await expect(page.getByText("Nobody has used the link yet.")).toBeVisible();
    await expectAccessible(page);
    const own = page.url();
    const link = await page.getByLabel("Payment link").inputValue();
    await page.goto(link);
    await expectAccessible(page);
    await tabTo(page, page.getByLabel("E-mail address"));
    await page.keyboard.type("grace@example.com");
    await tabTo(page, page.getByLabel("Name (optional)"));
    await page.keyboard.type("Grace Hopper");
    await fill(page, cards.good);
    await enterAt(page, page.getByRole("button", { name: "Pay €12.50" }));
    await expect(heading(page, "Payment received")).toBeVisible();
    await page.goto(own);
    await expect(page.getByText("1 of 3", { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Grace Hopper" }).click();
    await expect(page.getByRole("link", { name: "Reusable link" })).toBeVisible();
    await page.goto(`${listPath}?reusable=true`);
    await expect(page.getByRole("link", { name: "Seats for the tasting" })).toBeVisible();
  });

  test("a second payer at a shared computer sees nothing of the first one's payment, by keyboard", async ({
    page,
    api,
    adminToken,
  }) => {
    test.slow(true, "Two states are checked for accessibility at three widths in both schemes.");
    const shared = { type: "product", description: "Bread at the counter", usage_limit: null };
    const { payment_url } = await ask(api, adminToken, shared);
    await page.goto(payment_url);
    await page.getByLabel("E-mail address").fill("grace@example.com");
    await page.getByLabel("Name (optional)").fill("Grace Hopper");
    await fill(page, cards.challenged);
    await page.getByRole("button", { name: /^Pay / }).click();
    await expect(page).toHaveURL(/\/challenge\//);
    await page.goto(payment_url);
    await expect(heading(page, "A payment was begun in this browser")).toBeVisible();
    await expect(page.getByRole("main")).not.toContainText(/Grace|€/);
    await expectAccessible(page);
    await enterAt(page, page.getByRole("link", { name: "I am somebody else: start a new payment" }));
    await expect(page.getByLabel("E-mail address")).toHaveValue("");
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await fill(page, cards.good);
    await enterAt(page, page.getByRole("button", { name: /^Pay / }));
    await expect(heading(page, "Payment received")).toBeVisible();
    await page.goto(payment_url);
    await enterAt(page, page.getByRole("link", { name: "Continue that payment" }));
    await expect(heading(page, "Confirm with your bank")).toBeVisible();
    await expectAccessible(page);
  });

  test("a payer who finds all places taken is turned away", async ({ page, api, adminToken }) => {
    const pair = { type: "product", description: "The last two seats", usage_limit: 2 };
    const { payment_url } = await ask(api, adminToken, pair);
    for (const email of ["grace@example.com", "ada@example.com"]) {
      await page.goto(payment_url);
      await page.getByLabel("E-mail address").fill(email);
      await fill(page, cards.good);
      await page.getByRole("button", { name: /^Pay / }).click();
      await expect(heading(page, "Payment received")).toBeVisible();
    }
    await page.goto(payment_url);
    await expect(heading(page, "All places are taken")).toBeVisible();
    await expectAccessible(page);
  });

  test("a payer who comes while another one pays for the last place is asked to wait", async ({
    page,
    browser,
    api,
    adminToken,
  }) => {
    const pair = { type: "product", description: "The last two seats", usage_limit: 2 };
    const { payment_url } = await ask(api, adminToken, pair);
    const context = await browser.newContext();
    const other = await context.newPage();
    for (const card of [cards.good, cards.challenged]) {
      await other.goto(payment_url);
      await other.getByLabel("E-mail address").fill("grace@example.com");
      await fill(other, card);
      await other.getByRole("button", { name: /^Pay / }).click();
      const paid = heading(other, "Payment received");
      await (card === cards.good ? expect(paid).toBeVisible() : expect(other).toHaveURL(/\/challenge\//));
    }
    await context.close();
    await page.goto(payment_url);
    await expect(heading(page, "No place free at the moment")).toBeVisible();
    await expectAccessible(page);
  });

  test("a payer finds a link of an account without owner no longer available", async ({ page, api, adminToken }) => {
    const owner = await newMember(api, adminToken);
    const { payment_url } = await ask(api, owner.token, { type: "product", description: "Seats", usage_limit: null });
    await api("DELETE", `/v1/users/${owner.userId}`, { token: adminToken });
    await page.goto(payment_url);
    await expect(heading(page, "No longer available")).toBeVisible();
    await expectAccessible(page);
  });

  test("a donor chooses the amount, after a message at the field", async ({ page, api, adminToken }) => {
    const custom_amount = { minimum: 500, maximum: 10_000, suggested: 2_000 };
    const donation = {
      type: "product",
      amount: undefined,
      description: "A new oven",
      usage_limit: null,
      custom_amount,
    };
    const { payment_url } = await ask(api, adminToken, donation);
    await page.goto(payment_url);
    const amount = page.getByLabel("Amount in EUR");
    await expect(amount).toHaveValue("20.00");
    await expectAccessible(page);
    await amount.fill("3");
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await fill(page, cards.good);
    await page.getByRole("button", { name: "Pay chosen amount" }).click();
    await expect(amount).toBeFocused();
    await expect(amount).toHaveAccessibleDescription(/The smallest amount is €5\.00\./);
    await expectAccessible(page);
    await amount.fill("7.50");
    await fill(page, cards.good);
    await page.getByRole("button", { name: "Pay chosen amount" }).click();
    await expect(heading(page, "Payment received")).toBeVisible();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("quantities change the total on a phone, and the last payer is turned away", async ({
    page,
    api,
    adminToken,
  }) => {
    const { payment_id, payment_url } = await ask(api, adminToken, course);
    await page.setViewportSize({ width: 320, height: 640 });
    const pay = page.getByRole("button", { name: "Pay chosen amount" });
    for (const [email, submit] of [
      ["one@example.com", () => pay.click()],
      // Enter pays, although the button for the total comes before the other.
      ["two@example.com", () => page.getByLabel("Security code").press("Enter")],
    ] as const) {
      await page.goto(payment_url);
      await page.getByLabel("Quantity: Seat").fill("3");
      await page.getByRole("button", { name: "Update the total" }).click();
      await expect(page.getByText("€147.00").first()).toBeVisible();
      await page.getByLabel("E-mail address").fill(email);
      await fill(page, cards.good);
      await submit();
      await expect(heading(page, "Payment received")).toBeVisible();
    }
    await page.goto(`${payment_url}?lang=de`);
    await expect(heading(page, "Alle Plätze sind vergeben")).toBeVisible();
    const { body } = await api("GET", `/v1/payments/${payment_id}`, { token: adminToken });
    expect(body).toMatchObject({ status: "paid", uses_count: 2, amount_paid: 29_400, amount_due: 0 });
  });
});
