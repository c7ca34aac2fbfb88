// Invoices in the dashboard: what an account's invoices say, the form's fields, the number and the file of an invoice.
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { listPath, newMember, type Payment, sent } from "./requests";
import { enter } from "./signing-in";

interface Invoice extends Payment {
  invoice_number: string;
}

test.beforeEach(({ page }) => watchForFaults(page));

test("an account says what its invoices state, and an invoice is written, numbered and downloaded", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  const account = `/dashboard/accounts/${member.accountId}`;
  await enter(page, `${account}/edit`, member);
  await page.getByLabel("Legal name").fill("Bakery GmbH");
  await page.getByLabel("Tax number").fill("ATU12345678");
  await page.getByLabel("Prefix of invoice numbers").fill("A B");
  await page.getByLabel("City").fill("Vienna");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("The prefix must not contain spaces.").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Prefix of invoice numbers").fill("INV-");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Saved the account.")).toBeVisible();

  await page.goto(`${listPath}/new`);
  await page.getByLabel("Description").fill("Wedding cake");
  await page.getByLabel("Amount").fill("120");
  await page.getByRole("button", { name: "More options" }).click();
  await page.getByLabel("Type", { exact: true }).selectOption("invoice");
  await page.getByLabel("Period from").fill("2026-02-02");
  await page.getByLabel("Period to").fill("2026-02-01");
  await page.getByLabel("Purchase order").fill("PO-7");
  await page.getByRole("button", { name: "Create payment request" }).click();
  await expect(page.getByText("The period must not end before it begins.").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Period to").fill("2026-02-28");
  await page.getByRole("button", { name: "Create payment request" }).click();
  const number = page.getByText(/^INV-\d{4}-0001$/);
  await expect(number).toBeVisible();
  await expect(page.getByText("PO-7", { exact: true })).toBeVisible();
  await expectAccessible(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download invoice" }).click();
  const { body } = await api<{ data: Invoice[] }>("GET", "/v1/payments", { token: member.token });
  const [invoice] = body.data;
  expect((await downloading).suggestedFilename()).toBe(`invoice-${invoice?.invoice_number}.pdf`);
  const saved = (await api<{ preferences: object }>("GET", `/v1/accounts/${member.accountId}`, { token: member.token }))
    .body;
  expect(saved.preferences).toMatchObject({
    invoice: { legal_name: "Bakery GmbH", number_prefix: "INV-", address: { city: "Vienna" } },
  });

  await page.goto(`${invoice?.payment_url}/invoice`);
  await expect(page.getByRole("heading", { level: 1, name: `Invoice ${invoice?.invoice_number}` })).toBeVisible();
  await expectAccessible(page);
  await sent(api, member.token, `/v1/payments/${invoice?.payment_id}/cancel`, {});
  await page.goto(`${invoice?.payment_url}`);
  const file = await page.getByRole("link", { name: /^Credit note .+ as PDF$/ }).getAttribute("href");
  await page.goto(new URL(file?.replace(/\.pdf$/, "") ?? "", page.url()).href);
  await expect(page.getByRole("heading", { level: 1, name: /^Credit note / })).toBeVisible();
  await expectAccessible(page);
});

test("a line without tax states why, and its unit", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  await enter(page, `${listPath}/new`, member);
  await page.getByLabel("Description").fill("German lessons");
  await page.getByRole("button", { name: "More options" }).click();
  await page.getByLabel("Type", { exact: true }).selectOption("invoice");
  await page.getByRole("button", { name: "Add a line" }).click();
  await page.getByLabel("Item").fill("Lessons");
  await page.getByLabel("Quantity").fill("12");
  await page.getByLabel("Unit", { exact: true }).selectOption("hours");
  await page.getByLabel("Unit price").fill("40");
  await expect(page.getByLabel("Tax category")).toHaveCount(0);
  await page.getByLabel("Tax %").fill("0");
  await page.getByLabel("Tax category").selectOption("Exempt");
  await page.getByRole("button", { name: "Create payment request" }).click();
  await expect(page.getByText("Enter why this line is exempt.").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Reason for the exemption").fill("Art. 132 of Directive 2006/112/EC");
  await page.getByRole("button", { name: "Create payment request" }).click();

  await expect(page.getByRole("rowheader")).toContainText("Exempt: Art. 132 of Directive 2006/112/EC");
  await expect(page.getByRole("rowheader")).toContainText("12 hr × €40.00");
  await expectAccessible(page);
  const { data } = (await api<{ data: Payment[] }>("GET", "/v1/payments", { token: member.token })).body;
  expect(data[0]).toMatchObject({
    amount: 48_000,
    line_items: [{ unit: "HUR", tax_rate_bp: 0, tax_category: "E" }],
  });
});
