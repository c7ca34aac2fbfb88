// Payment requests in the dashboard: creating, finding, capturing, canceling, refunding.
import type { Locator, Page } from "playwright/test";
import type { Api } from "../api";
import { expect, test } from "../fixtures";
import { goodCard, payByForm } from "../payer";
import { firstAdmin } from "../server";
import { moreButton, openMore } from "./more-menu";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, listPath, newMember, type Payment, type Person, pathOf, paymentOf, sent } from "./requests";
import { enter, enterAt, tabTo } from "./signing-in";

/** A word that no other payment request contains. */
const newWord = () => `w${crypto.randomUUID().replaceAll("-", "")}`;

test.beforeEach(({ page }) => watchForFaults(page));

test("three fields create a payment request by keyboard alone, and its link is shown as a QR code", async ({
  page,
  api,
  adminToken,
}) => {
  const word = newWord();
  const member = await newMember(api, adminToken);
  await enter(page, listPath, member);
  await page.keyboard.press("n");
  await expect(page.getByLabel("Description")).toBeFocused();
  await page.keyboard.type(`Piano lesson ${word}`);
  await tabTo(page, page.getByLabel("Amount"));
  await page.keyboard.type("45");
  await tabTo(page, page.getByLabel("Customer e-mail"));
  await page.keyboard.type("grace@example.com");
  await expect(page.getByLabel("Type")).toBeHidden();
  const sending = page.waitForRequest("**/api/trpc/payments.create**");
  await page.keyboard.press("Enter");
  expect((await sending).headers()["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
  await expect(page.getByRole("heading", { name: "Your payment request is ready" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy", exact: true })).toBeFocused();
  const mail = new URL((await page.getByRole("link", { name: "Share by e-mail" }).getAttribute("href")) ?? "");
  expect(decodeURIComponent(mail.pathname)).toBe("grace@example.com");
  expect(mail.searchParams.get("body")).toContain(await page.getByLabel("Payment link").inputValue());
  await page.reload();
  await expect(page.getByRole("heading", { name: "Your payment request is ready" })).toBeVisible();

  const code = page.getByRole("img", { name: "QR code of the payment link" });
  await expect.poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  for (const [format, type] of [
    ["SVG", "image/svg+xml"],
    ["PNG", "image/png"],
  ] as const) {
    const link = page.getByRole("link", { name: `Download ${format}` });
    const file = await page.request.get((await link.getAttribute("href")) ?? "");
    expect(file.headers()["content-type"]).toBe(type);
    expect((await file.body()).length).toBeGreaterThan(500);
  }
  await expectAccessible(page);
  const stranger = await newMember(api, adminToken);
  const image = (await page.getByRole("link", { name: "Download SVG" }).getAttribute("href")) ?? "";
  await page.context().clearCookies();
  expect((await page.request.get(image)).status()).toBe(401);
  await enter(page, listPath, stranger);
  expect((await page.request.get(image)).status()).toBe(404);
});

test("a user who was signed out while filling in a form signs in again in a new tab, and loses nothing", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  await enter(page, `${listPath}/new`, member);
  await page.getByLabel("Description").fill("Wedding cake");
  await page.getByLabel("Amount").fill("125");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Create payment request" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "You are signed out." });
  await expect(alert).toBeFocused();
  await expectAccessible(page);
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    alert.getByRole("link", { name: "Sign in again in a new tab" }).click(),
  ]);
  await tab.getByLabel("E-mail").fill(member.email);
  await tab.getByLabel("Password", { exact: true }).fill(member.password);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await tab.waitForURL("**/dashboard");
  await tab.close();
  await page.getByRole("button", { name: "Create payment request" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Wedding cake" })).toBeVisible();
});

test("more options add line items, terms, a reference and metadata", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  await enter(page, `${listPath}/new`, member);
  await page.getByLabel("Description").fill("Kitchen renovation");
  await page.getByRole("button", { name: "More options" }).click();
  await page.getByLabel("Type").selectOption("Invoice");
  await page.getByLabel("Due date").fill("2030-01-31");
  await page.getByRole("button", { name: "Add a line" }).click();
  await expect(page.getByLabel("Item")).toBeFocused();
  await page.getByLabel("Item").fill("Cabinets");
  await page.getByLabel("Quantity").fill("3");
  await page.getByLabel("Unit price").fill("1,200");
  await page.getByLabel("Tax %").fill("19");
  await page.getByRole("button", { name: "Add a line" }).click();
  await expect(page.getByLabel("Item").nth(1)).toBeFocused();
  await page.getByRole("button", { name: "Add metadata" }).click();
  await expect(page.getByLabel("Name 1")).toBeFocused();
  await page.getByLabel("Name 1").fill("not a name");
  await page.getByLabel("Return URL").fill("http://shop.example.com");
  // Problems in fields that are out of sight show the fields.
  await page.getByRole("button", { name: "Fewer options" }).click();
  await expect(page.getByLabel("Return URL")).toBeHidden();
  await page.getByRole("button", { name: "Issue invoice" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "4 fields need your attention" });
  await expect(alert).toBeFocused();
  await expectAccessible(page);
  await expect(alert.getByRole("link", { name: /^Name 1: Use 1 to/ })).toBeVisible();
  await alert.getByRole("link", { name: "Line 2, Item: Enter a name for this line." }).click();
  await expect(page.getByLabel("Item").nth(1)).toBeFocused();

  // What has been corrected leaves the summary, and the summary leaves with the last of it.
  const summary = page.getByRole("alert").filter({ hasText: "attention" });
  await page.getByLabel("Item").nth(1).fill("Delivery");
  await expect(summary).toContainText("3 fields need your attention");
  await page.getByLabel("Unit price").nth(1).fill("80");
  await page.getByLabel("Discount").nth(1).fill("30");
  await expect(page.getByText("€4,334.00", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Remove line 2" }).click();
  await expect(page.getByRole("button", { name: "Add a line" })).toBeFocused();
  await expect(page.getByText("€4,284.00", { exact: true })).toBeVisible();
  await page.getByLabel("Name 1").fill("order");
  await page.getByLabel("Value 1").fill("77");
  await expect(summary).toContainText("One field needs your attention");
  await page.getByLabel("Return URL").fill("https://shop.example.com/thanks");
  await expect(summary).toHaveCount(0);
  await page.getByLabel("Card payments").selectOption("Authorize now, capture later");
  await page.getByLabel("Reference").fill("A-1042");
  await page.getByLabel("Customer name").fill("Grace Hopper");
  await page.getByLabel("Language of invoice and page").selectOption("Deutsch");
  await page.getByLabel("Payable until").fill("2020-01-01");
  await page.getByRole("button", { name: "Issue invoice" }).click();
  await expect(page.getByRole("alert").getByText("Choose today or a later date.")).toBeVisible();
  await page.getByLabel("Payable until").fill("");
  await page.getByRole("button", { name: "Issue invoice" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Invoice \d{4}-0001$/);
  for (const text of [
    ...[
      "Kitchen renovation",
      "Cabinets",
      "Subtotal€3,600.00",
      "Tax 19% on €3,600.00€684.00",
      "Total€4,284.00",
      "Grace Hopper",
    ],
    ...["A-1042", "German", "https://shop.example.com/thanks", "77"],
  ]) {
    await expect(page.getByRole("main")).toContainText(text);
  }
  await expectAccessible(page);
  const { data } = (await api<{ data: object[] }>("GET", "/v1/payments", { token: member.token })).body;
  expect(data[0]).toMatchObject({
    type: "invoice",
    amount: 428_400,
    reference: "A-1042",
    locale: "de",
    capture_method: "manual",
    line_items: [{ name: "Cabinets", quantity: 3, unit_amount: 120_000, tax_rate_bp: 1900, discount_amount: null }],
    customer: { name: "Grace Hopper", email: null },
    success_url: "https://shop.example.com/thanks",
    metadata: { order: "77" },
    expires_at: null,
    due_at: expect.stringMatching(/^2030-01-31T/),
  });

  await openMore(page);
  await page.getByRole("button", { name: "Duplicate" }).click();
  await expect(page.getByLabel("Description")).toHaveValue("Kitchen renovation");
  await expect(page.getByLabel("Item")).toHaveValue("Cabinets");
  await expect(page.getByLabel("Reference")).toHaveValue("");
  await page.getByLabel("Reference").fill("A-1042");
  await page.getByRole("button", { name: "Issue invoice" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "One field needs your attention" })).toBeFocused();
  await expect(page.getByLabel("Item")).toHaveValue("Cabinets");
  await page.getByLabel("Reference").fill("A-1043");
  await page.getByRole("button", { name: "Issue invoice" }).click();
  await expect(page.getByText("to ask for €4,284.00.")).toBeVisible();
});

/** One open, one paid and one canceled payment request. */
async function threeVases(api: Api, member: Person): Promise<Payment> {
  const open = await ask(api, member, { description: "Blue vase", customer: { email: "Grace@example.com" } });
  const paid = await ask(api, member, { description: "Red vase" });
  await payByForm(paid.payment_url);
  const gone = await ask(api, member, { description: "Green vase" });
  await sent(api, member.token, `/v1/payments/${gone.payment_id}/cancel`, {});
  return open;
}

const tabsOf = (page: Page) => page.getByRole("navigation", { name: "Payment requests by status" });
const vases = (page: Page) => page.getByRole("row").filter({ hasText: "vase" });

test("tabs show how many payment requests they contain", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  await enter(page, listPath, member);
  await expect(page.getByText("No payment requests yet")).toBeVisible();
  await threeVases(api, member);
  await page.reload();
  const tabs = tabsOf(page);
  await expect(tabs.getByRole("link")).toHaveText([
    "All3",
    "Drafts0",
    "Open1",
    "Active links0",
    "To capture0",
    "Paid1",
    "Expired0",
    "Canceled1",
  ]);
  await expect(tabs.getByRole("link", { name: "All" })).toHaveAttribute("aria-current", "page");
  await expect(vases(page)).toHaveCount(3);
  await expectAccessible(page);
  await tabs.getByRole("link", { name: "Paid" }).click();
  await expect(vases(page)).toHaveText([/Red vase.*Paid/]);
  await expect(page).toHaveURL(/\?status=paid,partially_refunded,refunded,disputed&open=false$/);
  await expect(page.getByRole("list", { name: "Active filters" })).toHaveCount(0);
  await tabs.getByRole("link", { name: "Expired" }).click();
  await expect(page.getByText("No results")).toBeVisible();
  await expectAccessible(page);
  const due_at = new Date(Date.now() - 86_400_000).toISOString();
  const late = await ask(api, member, { description: "Late vase", type: "invoice" });
  await api("PATCH", `/v1/payments/${late.payment_id}`, { token: member.token, body: { due_at } });
  await page.setViewportSize({ width: 375, height: 740 });
  await page.goto(listPath);
  for (const name of ["All", "Drafts", "Open"]) await expect(tabs.getByRole("link", { name })).toBeInViewport();
  await tabs.getByRole("link", { name: "Canceled" }).click();
  await expect(page).toHaveURL(/status=canceled/);
  await page.reload();
  // Browsers scroll by whole pixels.
  await expect(tabs.getByRole("link", { name: "Canceled" })).toBeInViewport({ ratio: 0.98 });
  await tabs.getByRole("link", { name: "All" }).click();
  // Before the whole list is here, the first row is the canceled one, which is the second of all.
  await expect(vases(page)).toHaveText([/Late/, /Green/, /Red/, /Blue/]);
  // What is above the list takes at most a third of the phone's screen.
  const top = async (of: Locator) => (await of.boundingBox())?.y ?? Number.NaN;
  expect((await top(vases(page).first())) - (await top(page.getByRole("heading", { level: 1 })))).toBeLessThan(740 / 3);
  await expectAccessible(page);
  await page.getByRole("link", { name: "1 overdue" }).click();
  await expect(page).toHaveURL(/\?overdue=true$/);
  await expect(vases(page)).toHaveText([/Late vase.*Overdue/]);
  // On a phone each row has two lines.
  expect((await vases(page).first().boundingBox())?.height).toBeLessThan(110);
});

test("the address holds the whole state of the list", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  const open = await threeVases(api, member);
  await enter(page, listPath, member);
  const tabs = tabsOf(page);
  await tabs.getByRole("link", { name: "Open" }).click();
  await expect(vases(page)).toHaveText([/Blue vase/]);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Customer e-mail").fill("grace@example.com");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Show results" }).click();
  await expect(page).toHaveURL(/customer_email=grace@example\.com/);
  await expect(tabs.getByRole("link")).toHaveText([
    "All1",
    "Drafts0",
    "Open1",
    "Active links0",
    "To capture0",
    "Paid0",
    "Expired0",
    "Canceled0",
  ]);
  await page.reload();
  await expect(vases(page)).toHaveText([/Blue vase/]);
  await page.getByRole("link", { name: "Remove filter Customer e-mail: grace@example.com" }).click();
  await expect(tabs.getByRole("link", { name: "All" })).toHaveText("All3");
  await expect(tabs.getByRole("link", { name: "Open" })).toHaveAttribute("aria-current", "page");

  await page.goto(`${listPath}?q=gre`);
  await expect(vases(page)).toHaveText([/Green vase/]);
  await page.goto(`${listPath}?q=${open.payment_id}&columns=for,reference,id`);
  await expect(page.getByRole("columnheader")).toHaveText(["For", "Reference", "ID"]);
  await expect(vases(page)).toHaveText([/Blue vase/]);
  await page.goto(`${listPath}?status=nonsense`);
  await expect(page.getByRole("heading", { name: "This filter does not work" })).toBeVisible();
});

test("part of an authorization is captured, and the rest is released", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  const { payment_id: id, payment_url } = await ask(api, member, {
    description: "Camera rental",
    capture_method: "manual",
  });
  await payByForm(payment_url);
  await enter(page, pathOf(id), member);
  await expect(page.getByRole("main")).toContainText("Authorized");
  await expect(page.getByRole("main")).toContainText("Capture by");
  await expect(page.getByText("Still due")).toHaveCount(0);
  await expect(page.getByText("This link takes no other payment")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Capture" }).click();
  const dialog = page.getByRole("dialog", { name: "Capture “Camera rental”" });
  const amount = dialog.getByLabel("Amount");
  await expect(amount).toHaveValue("300.00");
  await expect(amount).toBeFocused();
  await expect(dialog).toContainText("Charges the customer €300.00, the full authorized amount.");
  await amount.fill("300.01");
  await dialog.getByRole("button", { name: "Capture", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("Enter at most €300.00");
  await expectAccessible(page);
  await amount.fill("120.50");
  await expect(dialog).toContainText("The remaining €179.50 is released");
  const sending = page.waitForRequest("**/api/trpc/payments.capture**");
  await dialog.getByRole("button", { name: "Capture €120.50" }).click();
  expect((await sending).headers()["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
  await expect(dialog).toBeHidden();
  // No waiting: the dialog stays until the new page is there.
  expect(await page.getByRole("button", { name: "Capture" }).count()).toBe(0);
  const history = page.getByRole("list", { name: "History" });
  await expect(history.getByRole("listitem").filter({ hasText: /^Paid/ })).toBeVisible();
  expect(await paymentOf(api, member, id)).toMatchObject({
    status: "paid",
    amount_paid: 12_050,
    amount_released: 17_950,
  });
});

test("a refusal is shown in the dialog, which keeps its input", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  const { payment_id: id, payment_url } = await ask(api, member, { description: "Deposit", capture_method: "manual" });
  await payByForm(payment_url);
  await enter(page, pathOf(id), member);
  await page.getByRole("button", { name: "Capture" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount").fill("99");
  await sent(api, member.token, `/v1/payments/${id}/cancel`, {});
  await dialog.getByRole("button", { name: "Capture €99.00" }).click();
  await expect(dialog.getByRole("alert")).toBeFocused();
  await expect(dialog.getByRole("alert")).toContainText("nothing to capture");
  await expect(dialog.getByLabel("Amount")).toHaveValue("99");
  await expectAccessible(page);
});

test("a payment request is canceled by keyboard alone, after the dialog names the consequence", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  const { payment_id: id, payment_url } = await ask(api, member, { description: "Old sofa" });
  await enter(page, pathOf(id), member);
  const openDialog = async () => {
    await page.keyboard.press("ArrowUp");
    await expect(page.getByRole("button", { name: "Cancel request" })).toBeFocused();
    await page.keyboard.press("Enter");
  };
  await enterAt(page, moreButton(page));
  await openDialog();
  const dialog = page.getByRole("dialog", { name: "Cancel “Old sofa”?" });
  await expect(dialog).toContainText("The customer can no longer pay");
  await expect(dialog.getByRole("button", { name: "Keep it" })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(moreButton(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await openDialog();
  await expect(dialog.getByRole("button", { name: "Keep it" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.type("Sold to a neighbor");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("main")).toContainText("This link no longer takes payments.");
  await expect(page.getByRole("main")).toContainText("Sold to a neighbor");
  await expect(page.getByText("Still due")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Cancel request" })).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: "Canceled “Old sofa”." })).toBeFocused();
  expect((await paymentOf(api, member, id)).status).toBe("canceled");
  await page.goto(payment_url);
  await expect(page.getByRole("button", { name: /Pay/ })).toHaveCount(0);
  await expect(page.getByText("Sold to a neighbor")).toHaveCount(0);
});

test("a dialog that was just closed opens again immediately", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  const { payment_id: id } = await ask(api, member, { description: "Old chair", draft: true });
  await enter(page, pathOf(id), member);
  await page.getByRole("button", { name: "Discard draft" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Discard the draft “Old chair”?" });
  await expect(dialog.getByRole("button", { name: "Keep it" })).toBeFocused();
  // The browser reports a closed dialog one frame later. Users and tests can be faster.
  for (const keyThatLeaves of ["Escape", "Enter", "Escape", "Enter"]) {
    await Promise.all([keyThatLeaves, "Enter"].map((key) => page.keyboard.press(key)));
    await expect(dialog.getByRole("button", { name: "Keep it" })).toBeFocused();
  }
});

test("an admin refunds part of a payment, sees who did what, and returns to the row", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  const word = newWord();
  const { payment_id: id, payment_url } = await ask(api, member, { description: `Concert tickets ${word}` });
  await payByForm(payment_url, { ...goodCard, card_number: "4000000000000002" });
  await payByForm(payment_url);
  await enter(page, `${listPath}?q=${word}`);
  await page
    .getByRole("row")
    .filter({ hasText: word })
    .getByRole("link", { name: /Concert tickets/ })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Concert tickets");
  await page.getByRole("button", { name: "Refund" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount").fill("400");
  await dialog.getByRole("button", { name: /^Refund/ }).click();
  await expect(dialog.getByRole("alert")).toContainText("€300.00");
  await dialog.getByLabel("Amount").fill("100");
  await dialog.getByLabel("Reason").selectOption({ index: 1 });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Refund €100.00" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("main")).toContainText("Partly refunded");
  expect(await paymentOf(api, member, id)).toMatchObject({ status: "partially_refunded", amount_refunded: 10_000 });

  const events = page.getByRole("list", { name: "History" }).getByRole("listitem");
  await expect(events.filter({ hasText: "Refund of €100.00 succeeded" })).toContainText(firstAdmin.email);
  await expect(events.filter({ hasText: "Attempt failed" })).toContainText("The customer");
  await expect(events.last()).toContainText(member.email);
  const [attempt] = (await paymentOf(api, member, id)).transaction_ids;
  await expect(page.getByRole("main").getByRole("link", { name: "Payment of €300.00 failed" })).toHaveAttribute(
    "href",
    `/dashboard/transactions/${attempt}`,
  );
  await page.getByText("API response").first().click();
  await expect(page.getByText(`"payment_id": "${id}"`)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Payment requests" }).last().click();
  await expect(page).toHaveURL(new RegExp(`q=${word}`));
  await expect(page.getByRole("row").filter({ hasText: word })).toBeVisible();
});

test("members see only their own payment requests", async ({ page, api, adminToken }) => {
  const [member, other] = [await newMember(api, adminToken), await newMember(api, adminToken)];
  const mine = await ask(api, member, { description: "Mine" });
  const theirs = await ask(api, other, { description: "Theirs" });
  await enter(page, listPath, member);
  await expect(page.getByRole("row").filter({ hasText: "Mine" })).toBeVisible();
  await expect(page.getByText("Theirs")).toHaveCount(0);
  await page.goto(pathOf(mine.payment_id));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mine");
  await expect(page.getByRole("list", { name: "History" })).not.toContainText(member.email);
  for (const id of [theirs.payment_id, `pay_${"0".repeat(26)}`, "nonsense"]) {
    const response = await page.goto(pathOf(id));
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Payment request not found" })).toBeVisible();
  }
  await expectAccessible(page);
});
