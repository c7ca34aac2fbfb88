// The forms of invoices in the dashboard: what an issued invoice keeps.
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, newMember, pathOf } from "./requests";
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
  await expect(page.getByText("The invoice keeps what it said when it was issued, and its customer.")).toBeVisible();
  await expect(page.getByLabel("Customer name")).toHaveCount(0);
  await expect(page.getByLabel("Customer e-mail")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByLabel("Due date").fill(dayAfter(30));
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Changes saved.")).toBeVisible();
});
