// The list of invoices in the dashboard, and the credit notes that refunds and cancelations make.
import { expect, test } from "../fixtures";
import { openMore } from "./more-menu";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, newMember, type Person, pathOf, sent } from "./requests";
import { enter } from "./signing-in";

const list = "/dashboard/invoices";

test.beforeEach(({ page }) => watchForFaults(page));

test("invoices are listed with what was credited, and a refund and a cancelation make credit notes", async ({
  page,
  api,
  adminToken,
}) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const member: Person = await newMember(api, adminToken);
  await enter(page, list, member);
  await expect(page.getByRole("heading", { name: "No invoices yet" })).toBeVisible();
  await expectAccessible(page);

  const customer = { name: "Grace Hopper Industries", email: `grace-${crypto.randomUUID()}@example.com` };
  const paid = await ask(api, member, { type: "invoice", customer, description: "Wedding cake" });
  const canceled = await ask(api, member, { type: "invoice", description: "Bread" });
  await ask(api, member, { type: "product", description: "No invoice" });
  await sent(api, member.token, `/v1/payments/${paid.payment_id}/mark_paid`, {
    ...{ method: "bank_transfer", reason: "Statement 7" },
  });

  await page.goto(pathOf(paid.payment_id));
  await page.getByRole("button", { name: "Refund" }).first().click();
  await expect(page.getByText(/^A credit note is made for invoice \S+-0001 once/)).toBeVisible();
  await page.getByLabel("Amount").fill("100");
  await page.getByRole("button", { name: "Refund €100.00" }).click();
  const note = page.getByRole("link", { name: /^CN-\d{4}-0001$/ });
  await expect(note).toBeVisible();
  await expect(page.getByText(/^Credit note CN-\d{4}-0001 made$/)).toBeVisible();
  await expectAccessible(page);
  const downloading = page.waitForEvent("download");
  await note.click();
  expect((await downloading).suggestedFilename()).toMatch(/^credit-note-CN-\d{4}-0001\.pdf$/);

  await page.goto(pathOf(canceled.payment_id));
  await openMore(page);
  await page.getByRole("button", { name: "Cancel request" }).click();
  await expect(page.getByText(/^A credit note of €300\.00 is made for invoice \S+-0002\.$/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Cancel request" }).click();
  await expect(page.getByRole("link", { name: /^CN-\d{4}-0002$/ })).toBeVisible();

  const open = await ask(api, member, { type: "invoice", description: "Coffee" });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Invoices" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Invoices" })).toBeVisible();
  const row = (text: string | RegExp) => page.getByRole("row").filter({ hasText: text });
  await expect(row(/-0001/)).toContainText("Grace Hopper Industries");
  await expect(row(/-0001/)).toContainText("−100.00 EUR");
  await expect(row(/-0002/)).toContainText("−300.00 EUR");
  await expect(row(/-0003/)).toBeVisible();
  await expect(page.getByText("No invoice")).toHaveCount(0);
  const tabs = page.getByRole("navigation", { name: "Invoices by status" }).getByRole("link");
  await expect(tabs).toHaveText([/^All/, /^Drafts/, /^Open/, /^Overdue/, /^Paid/, /^Canceled/]);
  await expectAccessible(page);
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: /^Download invoice \S+-0001 as PDF$/ }).click();
  expect((await file).suggestedFilename()).toMatch(/^invoice-\d{4}-0001\.pdf$/);

  await page.goto(`${list}?credited=false`);
  await expect(row(/-0003/)).toBeVisible();
  await expect(row(/-0001/)).toHaveCount(0);
  await page.goto(`${list}?q=grace`);
  await expect(row(/-0001/)).toBeVisible();
  await expect(row(/-0003/)).toHaveCount(0);
  await page.goto(`${list}?q=nothing`);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await page.goto(`${list}?overdue=maybe`);
  await expect(page.getByRole("alert").first()).toBeVisible();
  await page.goto(list);
  await row(/-0003/).getByRole("link", { name: /-0003/ }).first().click();
  await expect(page).toHaveURL(new RegExp(open.payment_id));
});
