// The forms of invoices in the dashboard: what they refuse before sending, and what an issued invoice keeps.
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, listPath, newMember, pathOf } from "./requests";
import { enter } from "./signing-in";

test.beforeEach(({ page }) => watchForFaults(page));

const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test("the form of an issued invoice says what the invoice keeps, and does not offer its customer", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  const customer = { name: "Ada", email: "ada@example.com" };
  const given = { type: "invoice", description: "Wedding cake", customer, due_at: dayAfter(14) };
  const { payment_id } = await ask(api, member, given);
  await enter(page, `${pathOf(payment_id)}/edit`, member);
  await expect(
    page.getByText("The invoice itself keeps what it said when it was issued, including the customer."),
  ).toBeVisible();
  await expect(page.getByLabel("Customer name")).toHaveCount(0);
  await expect(page.getByLabel("Customer e-mail")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByLabel("Due date").fill(dayAfter(30));
  await page.getByLabel("Payable until").fill(dayAfter(29));
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("alert").getByText("This must not be before the due date.")).toBeVisible();
  await page.getByLabel("Payable until").fill(dayAfter(31));
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Changes saved.")).toBeVisible();
});

test("dates that contradict each other are refused in the form", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  await enter(page, `${listPath}/new?type=invoice`, member);
  await page.getByLabel("Description").fill("Wedding cake");
  await page.getByLabel("Amount").fill("120");
  const issued = page.getByLabel("Issue date");
  const due = page.getByLabel("Due date");
  const issue = page.getByRole("button", { name: "Issue invoice" });
  const problem = (name: string) => page.getByRole("alert").getByRole("link", { name });
  await due.fill(dayAfter(-3));
  await issue.click();
  await problem("Choose today or a later date.").click();
  await expect(due).toBeFocused();
  await issued.fill(dayAfter(-2));
  await issue.click();
  await expect(problem("The due date must not be before the issue date.")).toBeVisible();
  await due.fill(dayAfter(-1));
  await page.getByLabel("Payable until").fill(dayAfter(30));
  await issued.fill(dayAfter(3));
  await issue.click();
  await problem("The issue date must not be in the future.").click();
  await expect(issued).toBeFocused();
  await issued.fill(dayAfter(-370));
  await issue.click();
  await expect(problem("The issue date must be at most 366 days ago.")).toBeVisible();
  await expectAccessible(page);
});

test("a discount above its line, and lines that leave nothing to pay, are refused in the form", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  await enter(page, `${listPath}/new?type=invoice`, member);
  await page.getByLabel("Description").fill("Wedding cake");
  await page.getByRole("button", { name: "Add a line" }).click();
  await page.getByLabel("Item").fill("Cake");
  await page.getByLabel("Unit price").fill("40");
  const discount = page.getByLabel("Discount");
  const issue = page.getByRole("button", { name: "Issue invoice" });
  const problem = (name: string) => page.getByRole("alert").getByRole("link", { name });
  await discount.fill("50");
  await issue.click();
  await problem("Line 1, Discount amount: The discount must not be larger than what the line costs.").click();
  await expect(discount).toBeFocused();
  await expect(page.getByText("Line total:")).toHaveCount(0);
  await page.getByLabel("Tax %").fill("190");
  await issue.click();
  await expect(problem("Line 1, Tax %: Enter a percentage up to 100")).toBeVisible();
  await page.getByLabel("Tax %").fill("19");
  await discount.fill("10");
  await expect(page.getByText("Line total before tax: €30.00")).toBeVisible();
  await expect(page.getByText("Total: €35.70", { exact: true })).toBeVisible();
  await page.getByLabel("Tax %").fill("");
  await expect(page.getByText("Line total: €30.00")).toBeVisible();
  // No discount.
  await discount.fill("0");
  await expect(page.getByText("Line total: €40.00")).toBeVisible();
  await discount.fill("40");
  await issue.click();
  await expect(problem("Line 1, Discount amount: The discounts leave nothing to pay.")).toBeVisible();
  await discount.fill("");
  await page.getByLabel("Unit price").fill("9999999999.99");
  await page.getByLabel("Quantity").fill("2");
  await issue.click();
  await expect(problem("Line 1, Unit price: The lines add up to more than")).toBeVisible();
  await expectAccessible(page);
});

test("the form for a new one belongs to the list that it was opened from", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  await enter(page, "/dashboard/subscriptions", member);
  const navigation = page.getByRole("navigation", { name: "Main" });
  for (const [list, link] of [
    ["Subscriptions", "New subscription"],
    ["Invoices", "New invoice"],
  ] as const) {
    await navigation.getByRole("link", { name: list }).click();
    await page.getByRole("main").getByRole("link", { name: link }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: link })).toBeVisible();
    await expect(navigation.getByRole("link", { name: list })).toHaveAttribute("aria-current", "true");
    await expect(navigation.locator("[aria-current]")).toHaveCount(1);
    await page.getByRole("main").getByRole("link", { name: list }).click();
    await expect(page.getByRole("heading", { level: 1, name: list })).toBeVisible();
  }
});
