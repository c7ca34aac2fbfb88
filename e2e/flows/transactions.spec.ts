// Transactions in the dashboard: filtered, exported as shown, refunded in full, recorded by hand.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright/test";
import type { Api } from "../api";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter } from "./signing-in";

const listPath = "/dashboard/transactions";

interface Person {
  email: string;
  password: string;
  account_id: string;
  token: string;
}

/** A new member per test, so that tests do not see each other's transactions. */
async function member(api: Api, adminToken: string): Promise<Person> {
  const person = { email: `member-${crypto.randomUUID()}@example.com`, password: "a long enough passphrase" };
  const user = await api<{ account_id: string }>("POST", "/v1/users", { token: adminToken, body: person });
  const { body } = await api<{ access_token: string }>("POST", "/v1/auth/login", { body: person });
  return { ...person, account_id: user.body.account_id, token: body.access_token };
}

async function receive(api: Api, { token }: Person, amount: number, more: object = {}): Promise<string> {
  const body = { type: "payment", amount, currency: "EUR", ...more };
  const reply = await api<{ transaction_id: string }>("POST", "/v1/transactions", { token, body });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.transaction_id;
}

const rowsOf = (page: Page): Locator =>
  page
    .getByRole("table")
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
const chip = (page: Page, text: string) => page.getByRole("link", { name: `Remove filter ${text}` });

/** The records of a downloaded CSV file, keyed by its header. No value in these tests needs quotes. */
async function downloaded(page: Page, click: () => Promise<void>): Promise<Record<string, string>[]> {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  const [header = "", ...lines] = readFileSync(await download.path(), "utf8")
    .replace(/^\u{FEFF}/u, "")
    .trimEnd()
    .split("\r\n");
  const names = header.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((value, at) => [names[at], value])));
}

// Pages are checked for accessibility at three widths in both schemes, which is slow on a busy machine.
test.describe.configure({ timeout: 180_000 });
test.beforeEach(({ page }) => watchForFaults(page));

test("filters are in the address, survive reloading and going back, and are removed one by one", async ({
  page,
  api,
  adminToken,
}) => {
  const person = await member(api, adminToken);
  await enter(page, listPath, person);
  await expect(page.getByText("No transactions yet")).toBeVisible();
  await expectAccessible(page);

  const first = await receive(api, person, 1250, { reference: "R-1", metadata: { order: "7" } });
  await receive(api, person, 990, { customer: { name: "Grace Hopper", email: "grace@example.com" } });
  await receive(api, person, 500, { currency: "JPY" });
  const refund = { type: "refund", parent_transaction_id: first, amount: 250 };
  await api("POST", "/v1/transactions", { token: person.token, body: refund });
  await page.reload();
  await expect(page.getByText("4 in total")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Filters" }).click();
  await expectAccessible(page);
  await page.getByLabel("Partly refunded").check();
  await page.getByLabel("Payment", { exact: true }).check();
  await expect(page.getByLabel("Currency")).toHaveValue("");
  await page.getByLabel("Amount from").fill("12");
  await expect(page.getByLabel("Currency")).toHaveValue("EUR");
  await page.getByLabel("Metadata, Key", { exact: true }).fill("order");
  await page.getByLabel("Metadata, Value", { exact: true }).fill("7");
  await page.getByRole("button", { name: "Show results" }).click();
  await expect(page.getByText("1 match", { exact: true })).toBeVisible();
  const query = new URL(page.url()).searchParams;
  expect(Object.fromEntries(query)).toEqual({
    status: "partially_refunded",
    type: "payment",
    currency: "EUR",
    amount_min: "1200",
    "metadata[order]": "7",
  });
  await expect(rowsOf(page)).toHaveCount(1);
  await expectAccessible(page);

  await page.reload();
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(chip(page, "Amount from: €12.00")).toBeVisible();
  await chip(page, "Status: Partly refunded").click();
  await expect(page.getByText("1 match", { exact: true })).toBeVisible();
  await expect(chip(page, "Status: Partly refunded")).toHaveCount(0);
  await chip(page, "Metadata order: 7").click();
  await expect(chip(page, "Metadata order: 7")).toHaveCount(0);
  await chip(page, "Amount from: €12.00").click();
  await expect(page.getByText("2 matches")).toBeVisible();
  await expect(chip(page, "Currency: EUR – Euro")).toBeVisible();
  await page.goBack();
  await expect(page.getByText("1 match", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Clear all" }).click();
  // The link is gone, so the number of matches has the focus.
  await expect(page.getByText("4 in total")).toBeFocused();

  await page.getByRole("searchbox", { name: "Reference, description, customer or ID" }).fill("hop");
  await page.keyboard.press("Enter");
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(rowsOf(page)).toContainText("Grace Hopper");
  await page.goto(`${listPath}?q=nothing-like-this`);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await page.goto(`${listPath}?status=odd`);
  await expect(page.getByRole("heading", { name: "This filter does not work" })).toBeVisible();
});

test("the list has every filter of the API under the same name", async ({ page, api, adminToken }) => {
  const person = await member(api, adminToken);
  const request = { type: "product", amount: 1250, currency: "EUR" };
  const requested = await api<{ payment_id: string }>("POST", "/v1/payments", { token: person.token, body: request });
  const customer = { name: "Ada", email: "ada@example.com", reference: "C-1", metadata: { tier: "gold" } };
  const { payment_id } = requested.body;
  const id = await receive(api, person, 1250, { payment_id, customer, reference: "A-1", metadata: { order: "7" } });
  await receive(api, person, 77, { currency: "USD" });
  const refund = { type: "refund", parent_transaction_id: id, amount: 1 };
  await api("POST", "/v1/transactions", { token: person.token, body: refund });
  await enter(page, listPath, person);

  const queries: [query: string, rows: number][] = [
    ["status=partially_refunded", 1],
    ["type=refund,credit", 1],
    [`account_id=${person.account_id}`, 3],
    ["created_from=2000-01-01&created_to=2000-01-02", 0],
    ["created_from=2000-01-01", 3],
    ["currency=USD", 1],
    ["currency=USD&amount_min=77&amount_max=77", 1],
    ["amount_min=77&amount_max=77", 0],
    ["customer_email=ADA@example.com&type=payment", 1],
    ["customer_reference=C-1&type=payment", 1],
    ["reference=A-1", 1],
    [`payment_id=${payment_id}`, 2],
    [`parent_transaction_id=${id}`, 1],
    ["metadata[order]=7", 1],
    ["customer_metadata[tier]=gold&type=payment", 1],
    [`q=${id}`, 1],
  ];
  for (const [query, rows] of queries) {
    await page.goto(`${listPath}?${query}`);
    await expect(page.getByText(rows === 1 ? "1 match" : `${rows} matches`, { exact: true }), query).toBeVisible();
  }
});

test("the export matches what is shown: columns, filters, selected rows or all matches", async ({
  page,
  api,
  adminToken,
}) => {
  const person = await member(api, adminToken);
  for (let i = 0; i < 23; i++) await receive(api, person, 1000 + i, { reference: `R-${i}` });
  await receive(api, person, 1, { currency: "USD" });
  await enter(page, `${listPath}?currency=EUR`, person);
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByLabel("Customer or description").click();
  await page.getByLabel("Payment method", { exact: true }).click();
  await page.waitForURL(/columns=created,type,status,amount$/);
  await page.getByLabel("Reference", { exact: true }).click();
  await page.waitForURL(/columns=created,type,status,reference,amount$/);
  await page.keyboard.press("Escape");

  const shown = await rowsOf(page).evaluateAll((rows) =>
    rows.map((row) => [...row.querySelectorAll("td:not([data-place=more])")].slice(-2).map((cell) => cell.textContent)),
  );
  expect(shown).toHaveLength(20);
  const all = await downloaded(page, () => page.getByRole("link", { name: "Export" }).click());
  expect(Object.keys(all[0] ?? {})).toEqual([
    ...["transaction_id", "payment_id", "parent_transaction_id", "created_at", "local_date", "type", "status"],
    ...["reference", "direction", "amount_decimal", "fee_decimal", "disputed_decimal", "became_credit_decimal"],
    ...["net_decimal", "destination_net_decimal", "currency"],
  ]);
  expect(all).toHaveLength(23);
  const written = all.map(({ reference, amount_decimal }) => [reference, `${amount_decimal} EUR`]);
  expect(written.slice(0, 20)).toEqual(shown);

  const exportSelected = () => page.getByRole("button", { name: "Export selected" }).click();
  for (const row of [1, 3]) await rowsOf(page).nth(row).getByRole("checkbox").check();
  await expect(page.getByText("2 selected")).toBeVisible();
  expect(await downloaded(page, exportSelected)).toEqual([all[1], all[3]]);

  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Select all 23 matches" }).click();
  await expect(page.getByText("23 selected")).toBeVisible();
  await expectAccessible(page);
  expect(await downloaded(page, exportSelected)).toEqual(all);

  await receive(api, person, 4000);
  await exportSelected();
  await expect(page.getByRole("alert").filter({ hasText: "nothing was exported" })).toBeVisible();
  await expect(page.getByText("24 matches", { exact: true })).toBeVisible();
  await expect(page.getByText("20 selected")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Select all 24 matches" }).click();
  expect(await downloaded(page, exportSelected)).toHaveLength(24);
});

test("a payment is refunded in part, then in full, never beyond", async ({ page, api, adminToken }) => {
  const person = await member(api, adminToken);
  const id = await receive(api, person, 1250, {
    reference: "A-1042",
    description: "Bread",
    metadata: { order: "7" },
    customer: { name: "Ada Lovelace", email: "ada@example.com", reference: "C-1" },
  });
  await enter(page, listPath, person);
  await rowsOf(page).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment of €12.50");
  for (const text of ["Ada Lovelace", "ada@example.com", "A-1042", "Offline", "Bread"]) {
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  }
  const posted = page.getByRole("table", { name: "Payment received" });
  await expect(posted.getByRole("row", { name: /Available/ })).toContainText("€12.50");
  // Members may not see the organization's own balances.
  await expect(posted.getByRole("row", { name: /Bank/ }).getByRole("cell").last()).toHaveText("");
  await expectAccessible(page);

  await page.getByRole("button", { name: "Refund" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Refund this payment" });
  await expect(dialog.getByLabel("Amount")).toBeFocused();
  await expect(dialog.getByLabel("Amount")).toHaveValue("12.50");
  await expect(dialog.getByText("After this, €0.00 of €12.50 is left to refund.")).toBeVisible();
  await page.keyboard.type("12.51");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert").filter({ hasText: "Only €12.50 is left to refund." })).toBeFocused();
  await expectAccessible(page);
  await dialog.getByLabel("Amount").fill("5");
  await dialog.getByLabel("Reason").selectOption("Requested by customer");
  await expect(dialog.getByText("After this, €7.50 of €12.50 is left to refund.")).toBeVisible();
  await dialog.getByRole("button", { name: "Refund €5.00" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("status").filter({ hasText: "€5.00 is on its way back to the customer." })).toBeVisible();
  await expect(page.getByText("Partly refunded")).toBeVisible();
  await expect(page.getByRole("link", { name: "Refund of €5.00" })).toBeVisible();

  // Someone else refunds meanwhile: the server refuses, and the dialog shows the error.
  await page.getByRole("button", { name: "Refund" }).click();
  await expect(dialog.getByLabel("Amount")).toHaveValue("7.50");
  const meanwhile = { type: "refund", parent_transaction_id: id, amount: 100 };
  await api("POST", "/v1/transactions", { token: person.token, body: meanwhile });
  await dialog.getByRole("button", { name: "Refund €7.50" }).click();
  await expect(dialog.getByRole("alert")).toContainText("This is more than is left to refund.");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Refund" })).toBeFocused();
  await page.reload();
  await page.getByRole("button", { name: "Refund" }).click();
  await expect(dialog.getByLabel("Amount")).toHaveValue("6.50");
  await dialog.getByRole("button", { name: "Refund €6.50" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Refunded", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Refund" })).toHaveCount(0);

  await page.getByRole("link", { name: "Refund of €6.50" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Refund of €6.50");
  await expect(page.getByRole("table")).toHaveCount(2);
  await expect(page.getByRole("link", { name: "Payment of €12.50" })).toBeVisible();
  await page.getByRole("link", { name: "JSON" }).click();
  await expect(page.getByRole("region", { name: "JSON" })).toContainText(`"parent_transaction_id": "${id}"`);
  await expectAccessible(page);
});

test("money received elsewhere is recorded and settles its payment request", async ({
  page,
  context,
  server,
  api,
  adminToken,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
  const person = await member(api, adminToken);
  const request = { type: "invoice", amount: 4000, currency: "EUR", customer: { name: "Ada" } };
  const ask = async (body: object) =>
    (await api<{ payment_id: string }>("POST", "/v1/payments", { token: person.token, body })).body.payment_id;
  const payment_id = await ask({ ...request, description: "Wedding cake" });
  await ask({ ...request, customer: { name: "Grace", email: "grace@example.com" }, description: "Bread" });
  await enter(page, listPath, person);
  await page.getByRole("link", { name: "New transaction" }).click();
  await page.getByRole("button", { name: "Record payment" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "One field needs your attention" })).toBeFocused();
  await expectAccessible(page);
  await page.getByLabel("Amount").fill("12.3456");
  await page.getByRole("button", { name: "Record payment" }).click();
  await expect(page.getByRole("alert").getByText("Use at most 2 decimals.")).toBeVisible();
  await page.getByLabel("Amount").fill("");
  const picker = page.getByRole("combobox", { name: "Payment request (optional)" });
  const options = page.getByRole("listbox").getByRole("option");
  await picker.fill("nobody");
  await expect(page.getByText("No open payment request matches.")).toBeVisible();
  await picker.fill(payment_id);
  await expect(options).toHaveCount(1);
  await picker.fill("ada");
  const number = (await api("GET", `/v1/payments/${payment_id}`, { token: person.token })).body.invoice_number;
  await expect(options).toHaveText([`Wedding cake€40.00${number} · Ada · ${payment_id}`]);
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(picker).toBeFocused();
  await expect(picker).toHaveValue(`${number} · Ada · €40.00 · Wedding cake`);
  const name = page.getByLabel("Customer name");
  await expect(name).toHaveAccessibleDescription("The customer of the payment request");
  await expect(page.getByLabel("Amount")).toHaveValue("40.00");
  // Another choice replaces what the one before filled in.
  for (const [customer, option] of [
    ["Grace", /^Bread€40\.00.+ · Grace/],
    ["Ada", /^Wedding cake€40\.00.+ · Ada/],
  ] as const) {
    await picker.fill(customer);
    await expect(options).toHaveText([option]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(name).toHaveValue(customer);
  }
  await name.fill("Ada's mother");
  await expect(name).toHaveAccessibleDescription(
    "Noted with this payment only. The payment request keeps its customer.",
  );
  await picker.fill("Grace");
  await options.filter({ hasText: "Bread" }).click();
  await expect(name).toHaveValue("Ada's mother");
  await expect(page.getByLabel("Customer e-mail")).toHaveValue("");
  await page.getByLabel("Amount").fill("50");
  await page.getByRole("button", { name: "Record payment" }).click();
  await expect(page.getByRole("alert").getByRole("link", { name: "more than the amount due" })).toBeVisible();
  await expect(page.getByLabel("Amount")).toHaveAttribute("aria-invalid", "true");

  await page.goto(`/dashboard/transactions/new?payment_id=${payment_id}`);
  await expect(page.getByLabel("Amount")).toHaveValue("40.00");
  await expect(page.getByLabel("Customer name")).toHaveValue("Ada");
  await page.getByLabel("Received on").fill("2026-01-05");
  await page.getByLabel("Payment method").selectOption("Bank transfer");
  await page.getByLabel("Note").fill("Found on the statement");
  await page.getByLabel("Reference").fill("BANK-7");
  await page.getByRole("button", { name: "Record payment" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment of €40.00");
  await expect(page.getByRole("status").filter({ hasText: "Recorded €40.00." })).toBeFocused();
  await expect(page.getByText("BANK-7")).toBeVisible();
  await expect(page.getByText("Effective Jan 5, 2026")).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "Jan 5, 2026" })).toBeVisible();
  const status = await api("GET", `/v1/payments/${payment_id}/status`, { token: person.token });
  expect(status.body.status).toBe("paid");

  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await page.getByTitle("Copy").click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id);
  await page.getByRole("link", { name: "Transactions", exact: true }).first().click();
  await page.waitForURL(`**${listPath}**`);
  await expect(rowsOf(page).first()).toContainText("Effective Jan 5, 2026");
});

test("an admin sees all accounts and the organization's balances; a member only their own", async ({
  page,
  api,
  adminToken,
}) => {
  const [person, other] = [await member(api, adminToken), await member(api, adminToken)];
  const id = await receive(api, person, 1250, { description: "A wedding cake with three tiers" });
  await receive(api, other, 7777);
  await enter(page, `${listPath}/${id}`, other);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await page.goto(listPath);
  await expect(page.getByText("1 in total")).toBeVisible();

  await page.context().clearCookies();
  await enter(page, `${listPath}?account_id=${person.account_id}`);
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(page.getByRole("columnheader", { name: "Account" })).toBeVisible();
  // On the smallest phones too, account and customer have room for a few words.
  await page.setViewportSize({ width: 320, height: 640 });
  for (const text of await rowsOf(page).locator("td[data-place=text]").all()) {
    expect((await text.boundingBox())?.width).toBeGreaterThan(100);
  }
  await expectAccessible(page);
  await page.getByRole("link", { name: "Payment A wedding cake with three tiers" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment of €12.50");
  const bank = page.getByRole("table", { name: "Payment received" }).getByRole("row", { name: /Bank/ });
  await expect(bank.getByRole("cell").last()).not.toHaveText("");
});
