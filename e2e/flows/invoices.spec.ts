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

  await page.goto("/dashboard/invoices");
  await page.getByRole("link", { name: "New invoice" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "New invoice" })).toBeVisible();
  await expect(page.getByText("Issuing gives the invoice its number")).toBeVisible();
  await page.getByLabel("Description").fill("Wedding cake");
  await page.getByLabel("Amount").fill("120");
  await page.getByLabel("Period from").fill("2026-02-02");
  await page.getByLabel("Period to").fill("2026-02-01");
  await page.getByLabel("Purchase order").fill("PO-7");
  await page.getByRole("button", { name: "Issue invoice" }).click();
  await expect(page.getByText("The period must not end before it begins.").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Period to").fill("2026-02-28");
  await page.getByRole("button", { name: "Issue invoice" }).click();
  const number = page.getByText(/^INV-\d{4}-0001$/);
  await expect(number).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Invoice INV-\d{4}-0001 issued$/ })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: /^Invoice INV-\d{4}-0001$/ })).toBeVisible();
  await expect(page.getByRole("main").getByText("Wedding cake", { exact: true }).first()).toBeVisible();
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(menu.getByRole("link", { name: "Invoices" })).toHaveAttribute("aria-current", "true");
  await expect(menu.getByRole("link", { name: "Payment requests" })).not.toHaveAttribute("aria-current");
  await expect(page.getByRole("button", { name: "Copy", exact: true })).toBeFocused();
  await expect(page.getByRole("main").getByRole("link", { name: "Invoices" })).toHaveCount(2);
  await expect(page.getByText("PO-7", { exact: true })).toBeVisible();
  await expectAccessible(page);
  const downloading = page.waitForEvent("download");
  const file = await page.getByRole("link", { name: "Download invoice" }).getAttribute("href");
  expect(await page.getByRole("link", { name: "the PDF" }).getAttribute("href")).toBe(file);
  await page.getByRole("link", { name: "the PDF" }).click();
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
  const credited = await page.getByRole("link", { name: /^Credit note .+ as PDF$/ }).getAttribute("href");
  await page.goto(new URL(credited?.replace(/\.pdf$/, "") ?? "", page.url()).href);
  await expect(page.getByRole("heading", { level: 1, name: /^Credit note / })).toBeVisible();
  await expectAccessible(page);
});

test("an invoice is due by a usual term, whose day is shown, or by none", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  await enter(page, `${listPath}/new`, member);
  await page.getByLabel("Description").fill("Wedding cake");
  await page.getByLabel("Amount").fill("120");
  await page.getByRole("button", { name: "More options" }).click();
  const due = page.getByLabel("Due date");
  const terms = page.getByRole("group", { name: "Usual terms of payment" }).getByRole("button");
  await expect(due).toHaveCount(0);
  await page.getByLabel("Type", { exact: true }).selectOption("invoice");
  await expect(page.getByRole("heading", { level: 1, name: "New invoice" })).toBeVisible();
  const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await expect(due).toHaveValue(dayAfter(14));
  await expect(terms.filter({ hasText: "14 days" })).toHaveAttribute("aria-pressed", "true");
  await terms.filter({ hasText: "30 days" }).click();
  await expect(due).toHaveValue(dayAfter(30));
  const inWords = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeZone: "UTC" });
  await expect(page.getByText(inWords.format(Date.parse(dayAfter(30))))).toBeVisible();
  // A term counts from the issue date.
  await page.getByLabel("Issue date").fill(dayAfter(-2));
  await expect(due).toHaveValue(dayAfter(28));
  await expect(terms.filter({ hasText: "30 days" })).toHaveAttribute("aria-pressed", "true");
  await page.getByLabel("Issue date").fill("");
  await expect(due).toHaveValue(dayAfter(30));
  await expectAccessible(page);
  // What was chosen stays when the type changes and changes back.
  await page.getByLabel("Type", { exact: true }).selectOption("product");
  await expect(page.getByRole("button", { name: "Create payment request" })).toBeVisible();
  await page.getByLabel("Type", { exact: true }).selectOption("invoice");
  await expect(due).toHaveValue(dayAfter(30));
  await terms.filter({ hasText: "30 days" }).click();
  await expect(page.getByText("Without one, no due date is stated.")).toBeVisible();
  await terms.filter({ hasText: "14 days" }).click();
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Draft invoice" })).toBeVisible();
  await expect(due).toHaveValue(dayAfter(14));
  await page.getByRole("button", { name: "Issue invoice" }).click();
  await expect(page.getByRole("heading", { name: /^Invoice .+ issued$/ })).toBeVisible();
  const { data } = (await api<{ data: { due_at: string }[] }>("GET", "/v1/payments", { token: member.token })).body;
  expect(data[0]?.due_at.slice(0, 10)).toBe(dayAfter(14));
});

test("a quantity is a whole number: the form says so, and what to do instead", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  await enter(page, `${listPath}/new?type=invoice`, member);
  await page.getByLabel("Description").fill("German lessons");
  await page.getByRole("button", { name: "Add a line" }).click();
  await page.getByLabel("Item").fill("Lessons");
  await page.getByLabel("Unit price").fill("40");
  const quantity = page.getByLabel("Quantity");
  await expect(quantity).toHaveAccessibleDescription("A whole number");
  for (const fraction of ["1.5", "1,5", ".5"]) {
    await quantity.fill(fraction);
    await page.getByRole("button", { name: "Issue invoice" }).click();
    const problem = page
      .getByRole("alert")
      .getByRole("link", { name: /^Line 1, Quantity: .*90 minutes for 1.5 hours/ });
    await problem.click();
    await expect(quantity).toBeFocused();
  }
  await page.setViewportSize({ width: 320, height: 640 });
  const words = await page
    .getByRole("group", { name: "Line 1" })
    .getByText(/90 minutes for 1.5 hours/)
    .boundingBox();
  expect(words?.width).toBeGreaterThan(200);
  await expectAccessible(page);
});

test("each click adds a line, also while the line before is empty", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  await enter(page, `${listPath}/new?type=invoice`, member);
  for (const count of [1, 2, 3]) {
    await page.getByRole("button", { name: "Add a line" }).click();
    await expect(page.getByLabel("Item")).toHaveCount(count);
    await expect(page.getByLabel("Item").last()).toBeFocused();
  }
  await expect(page.getByText("Enter a name for this line.")).toHaveCount(0);
  await page.getByRole("button", { name: "Issue invoice" }).click();
  await expect(page.getByText("Enter a name for this line.").first()).toBeVisible();
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
  await page.getByLabel("Tax category").selectOption("Supply to another EU country");
  await page.getByRole("button", { name: "Issue invoice" }).click();
  await expect(page.getByRole("alert").getByText("Enter when the goods are delivered")).toBeVisible();
  await page.getByLabel("Tax category").selectOption("Exempt");
  await page.getByRole("button", { name: "Issue invoice" }).click();
  await expect(page.getByText("Enter why this line is exempt.").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Reason for the exemption").fill("Art. 132 of Directive 2006/112/EC");
  await page.getByRole("button", { name: "Issue invoice" }).click();

  await expect(page.getByRole("rowheader")).toContainText("Exempt: Art. 132 of Directive 2006/112/EC");
  await expect(page.getByRole("rowheader")).toContainText("12 hr × €40.00");
  await expectAccessible(page);
  const { data } = (await api<{ data: Payment[] }>("GET", "/v1/payments", { token: member.token })).body;
  expect(data[0]).toMatchObject({
    amount: 48_000,
    line_items: [{ unit: "HUR", tax_rate_bp: 0, tax_category: "E" }],
  });
});
