// Accounts in the dashboard: what admins and members see and do, concurrent edits, and closing.
import { randomBytes } from "node:crypto";
import sharp from "sharp";
import type { Api } from "../api";
import { expect, test } from "../fixtures";
import { firstAdmin } from "../server";
import { makeStale } from "../trouble";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter, untilInteractive } from "./signing-in";

// These tests give the admin further accounts, after which calls that name no account are refused.
test.use({ apart: "accounts" });

const listPath = "/dashboard/accounts";
const pathOf = (id: string) => `${listPath}/${id}`;

/** Sends a POST or PATCH that must succeed. */
async function sent<T>(api: Api, token: string, method: string, path: string, body: object): Promise<T> {
  const reply = await api<T>(method, path, { token, body });
  if (reply.status !== 200) throw new Error(`${method} ${path} was refused: ${reply.text}`);
  return reply.body;
}

type Account = { account_id: string; account_name: string; preferences: Record<string, unknown>; metadata: object };

const open = (api: Api, token: string, account_name: string, more: object = {}) =>
  sent<Account>(api, token, "POST", "/v1/accounts", {
    account_type: "business",
    account_name,
    email: "office@example.com",
    ...more,
  });

async function member(api: Api, adminToken: string) {
  const person = { email: `member-${crypto.randomUUID()}@example.com`, password: "a long enough passphrase" };
  const user = await sent<{ user_id: string; account_id: string }>(api, adminToken, "POST", "/v1/users", person);
  const { body } = await api<{ access_token: string }>("POST", "/v1/auth/login", { body: person });
  return { ...person, ...user, token: body.access_token };
}

test.beforeEach(({ page }) => watchForFaults(page));

test("an admin creates an account for another user, and its page shows the details", async ({
  page,
  api,
  adminToken,
}) => {
  const owner = await member(api, adminToken);
  await enter(page, listPath);
  await page.getByRole("link", { name: "New account" }).click();
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "2 fields need your attention" })).toBeFocused();
  await page.getByText("Preferences and metadata").click();
  await expectAccessible(page);

  await page.getByLabel("Name", { exact: true }).fill("Harbour Books");
  await page.getByLabel("E-mail", { exact: true }).fill("books@example.com");
  await page.getByLabel("Owner", { exact: true }).selectOption("Another user");
  await page.getByLabel("Default currency").selectOption("KWD");
  await page.getByLabel("Brand color", { exact: true }).fill("teal");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("alert").getByText("Enter a color such as #0b7285")).toBeVisible();
  await page.getByLabel("Brand color", { exact: true }).fill("#0b7285");
  await page.getByRole("button", { name: "Add entry" }).click();
  await page.getByLabel("Key").fill("shelf");
  await page.getByLabel("Value").fill("7");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("alert").getByText("Choose an owner for the account.")).toBeVisible();
  await page.getByRole("combobox", { name: "Owner of the account" }).fill(owner.email);
  await page.getByRole("option", { name: owner.email }).click();
  await page.getByRole("button", { name: "Create account" }).click();

  await expect(page.getByRole("heading", { level: 1, name: "Harbour Books" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Created the account “Harbour Books”." })).toBeFocused();
  for (const text of [
    owner.email,
    "Kuwaiti Dinar (KWD)",
    "#0b7285",
    "shelf",
    "This account has no transactions yet.",
  ]) {
    await expect(page.getByText(text).first()).toBeVisible();
  }
  await expectAccessible(page);
});

test("the list takes its filters from the address and shows how many accounts match", async ({
  page,
  api,
  adminToken,
}) => {
  const { account_id } = await open(api, adminToken, "Lighthouse Books", { email: "books@example.com" });
  await enter(page, pathOf(account_id));
  await page.getByRole("link", { name: "Accounts" }).last().click();
  await page.getByRole("searchbox").fill("lighthouse");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/accounts?q=lighthouse");
  await expect(page.getByText("1 match", { exact: true })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Lighthouse Books" })).toContainText("Open");
  await expectAccessible(page);
  await page.goto(`${listPath}?q=lighthouse&account_type=individual&status=closed&email=books@example.com`);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${listPath}?email=no+address`);
  await expect(page.getByRole("heading", { name: "This filter does not work" })).toBeVisible();
});

test("balances are listed by currency code, and transactions link to their pages", async ({
  page,
  api,
  adminToken,
}) => {
  const { account_id } = await open(api, adminToken, "Harbour Café");
  for (const [currency, amount] of [
    ["USD", 98_000],
    ["EUR", 1_249_500],
    ["JPY", 45_000],
  ] as const) {
    await sent(api, adminToken, "POST", "/v1/transactions", { type: "payment", account_id, currency, amount });
  }
  await enter(page, pathOf(account_id));
  const rows = page.getByRole("table", { name: "Balances" }).getByRole("row");
  const euros = /^EUR€12,495\.00€0\.00€0\.00€0\.00$/;
  await expect(rows).toHaveText([/Available/, euros, /^JPY¥45,000¥0¥0¥0$/, /^USD\$980\.00/]);
  await page.getByRole("link", { name: "Transactions" }).last().click();
  // The table of balances has as many rows.
  await page.waitForURL(`**${pathOf(account_id)}/transactions`);
  await expect(page.getByRole("row")).toHaveCount(4);
  await expectAccessible(page);
  await page.getByRole("row").filter({ hasText: "12,495.00 EUR" }).getByRole("link").click();
  await page.waitForURL("**/dashboard/transactions/txn_*");
});

test("a bookkeeper downloads the ledger entries of an account by the keyboard", async ({ page, api, adminToken }) => {
  const { account_id } = await open(api, adminToken, "Harbour Ledger");
  const received = { type: "payment", account_id, currency: "EUR", amount: 1250 };
  await sent(api, adminToken, "POST", "/v1/transactions", received);
  await enter(page, pathOf(account_id));
  await page.getByRole("button", { name: "Export ledger entries" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Export ledger entries" });
  await expect(dialog.getByLabel("First day", { exact: true })).toBeFocused();
  await expect(dialog.getByRole("button", { name: "Last month" })).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "This month" }).press("Enter");
  await dialog.getByLabel("Format").selectOption({ label: "NDJSON, one JSON object per line" });
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).press("Enter");
  expect((await download).suggestedFilename()).toMatch(/^ledger-entries-unfinished-.*\.ndjson$/);
});

test("only edited fields are saved", async ({ page, api, adminToken }) => {
  const { account_id } = await open(api, adminToken, "Old name", {
    preferences: { locale: "de-AT", timezone: "Europe/Vienna", notifications: { "payment.paid": true } },
    metadata: { crm: "A-1", region: "north" },
  });
  await enter(page, pathOf(account_id));
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel("Language")).toHaveValue("de-AT");
  await expectAccessible(page);
  await page.getByLabel("Name", { exact: true }).fill("New name");
  await page.getByLabel("Time zone").selectOption("Not set");
  await page.getByRole("button", { name: "Remove entry 1 crm" }).click();
  await expect(page.getByRole("button", { name: "Add entry" })).toBeFocused();
  await page.getByLabel("Value").fill("south");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "New name" })).toBeVisible();

  const { body } = await api<Account>("GET", `/v1/accounts/${account_id}`, { token: adminToken });
  expect(body.metadata).toEqual({ region: "south" });
  expect(body.preferences).toMatchObject({ locale: "de-AT", timezone: null, notifications: { "payment.paid": true } });
});

test("a logo is uploaded while the form is filled in, and shown in the preview and on the payment page", async ({
  page,
  api,
  adminToken,
}) => {
  const { account_id } = await open(api, adminToken, "Harbour Toys");
  const request = { type: "product", amount: 500, currency: "EUR", account_id };
  const { payment_url } = await sent<{ payment_url: string }>(api, adminToken, "POST", "/v1/payments", request);
  await enter(page, `${pathOf(account_id)}/edit`);
  const preview = page.frameLocator("iframe");
  await expect(preview.getByText("Harbour Toys", { exact: true })).toBeVisible();
  // Opened by itself, the preview is a page without scripts, forms and origin; from another site it is refused.
  const shown = await page.request.get(`${pathOf(account_id)}/preview`);
  expect([shown.status(), shown.headers()["content-security-policy"]]).toEqual([
    200,
    expect.stringMatching(/^sandbox;/),
  ]);
  const elsewhere = { headers: { "Sec-Fetch-Site": "cross-site" } };
  expect((await page.request.get(`${pathOf(account_id)}/preview`, elsewhere)).status()).toBe(403);
  await page.getByLabel("Statement descriptor").fill("HARBOUR");
  const choose = (name: string, buffer: Buffer) =>
    page.locator("input[type=file]").setInputFiles({ name, mimeType: "image/png", buffer });
  await choose("logo.png", Buffer.from("<svg/>"));
  await expect(page.getByRole("alert").filter({ hasText: "This is not a PNG or JPEG image" })).toBeVisible();
  await choose("logo.png", Buffer.alloc(1024 ** 2 + 1));
  await expect(page.getByRole("alert").filter({ hasText: "This file is larger than 1 MB" })).toBeVisible();

  // Nearly the largest upload that the server accepts.
  const noise = { width: 580, height: 580, channels: 3 } as const;
  const image = await sharp(randomBytes(580 * 580 * 3), { raw: noise })
    .png()
    .toBuffer();
  expect(image.length).toBeGreaterThan(900_000);
  await choose("logo.png", image);
  // The decoder has a lower priority than everything else that runs here.
  await expect(page.getByRole("status").filter({ hasText: "Saved the logo." })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("img", { name: "The current logo" })).toBeVisible();
  await expect(preview.locator("img.logo")).toHaveJSProperty("naturalHeight", 160);
  const small = { width: 90, height: 30, channels: 4, background: "#7048e8" } as const;
  await choose("logo.png", await sharp({ create: small }).png().toBuffer());
  await expect(preview.locator("img.logo")).toHaveJSProperty("naturalHeight", 30);
  await page.getByText("Computer", { exact: true }).click();
  await page.getByLabel("Brand color", { exact: true }).fill("#7048e8");
  await expect(preview.getByRole("button", { name: "Pay €120.00" })).toHaveCSS("background-color", "rgb(112, 72, 232)");
  await page.getByRole("checkbox", { name: "Receipt after a refund" }).uncheck();
  await expect(page.getByRole("checkbox", { name: "Receipt after a payment" })).toBeChecked();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("img", { name: "Logo", exact: true })).toBeVisible();
  const { body } = await api<Account>("GET", `/v1/accounts/${account_id}`, { token: adminToken });
  expect(body.preferences).toMatchObject({ statement_descriptor: "HARBOUR", branding: { color: "#7048e8" } });
  expect(body.preferences["notifications"]).toEqual({ refund_receipt: false });

  await page.goto(payment_url);
  await expect(page.locator("img.logo")).toHaveJSProperty("naturalHeight", 30);
  await expectAccessible(page);
  await page.goto(`${pathOf(account_id)}/edit`);
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByRole("button", { name: "Upload a logo" })).toBeVisible();
  await expect(preview.locator("img.logo")).toHaveCount(0);

  // A closed account has no form, but its receipts still show the logo.
  await choose("logo.png", image);
  await expect(page.getByRole("status").filter({ hasText: "Saved the logo." })).toBeVisible({ timeout: 30_000 });
  const closing = await api("DELETE", "/v1/auth/close", { token: adminToken, body: { account_id, reason: "Moved." } });
  expect(closing.status).toBe(200);
  await page.goto(pathOf(account_id));
  await untilInteractive(page);
  await page.getByRole("button", { name: "Remove logo" }).click();
  await expect(page.getByRole("dialog", { name: /^Remove the logo of/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Remove logo" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Removed the logo." })).toBeVisible();
  await expect(page.getByRole("img", { name: "Logo" })).toHaveCount(0);
  await expectAccessible(page);
});

test("the second of two concurrent edits is refused, and no input is lost", async ({ page, api, adminToken }) => {
  const { account_id } = await open(api, adminToken, "Shared", { metadata: { crm: "A-1" } });
  await enter(page, `${pathOf(account_id)}/edit`);
  await page.getByLabel("Name", { exact: true }).fill("Mine");
  await page.getByLabel("Statement descriptor").fill("MINE");

  await sent(api, adminToken, "PATCH", "/v1/accounts", {
    account_id,
    account_name: "Theirs",
    email: "theirs@example.com",
    metadata: { crm: "A-2" },
  });
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Someone else changed this in the meantime" })).toBeFocused();
  await expect(page.getByText("Someone else saved: Theirs")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Mine");
  await expect(page.getByLabel("Statement descriptor")).toHaveValue("MINE");
  await expect(page.getByLabel("E-mail", { exact: true })).toHaveValue("theirs@example.com");
  await expect(page.getByLabel("Value")).toHaveValue("A-2");
  await expectAccessible(page);

  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Mine" })).toBeVisible();
  const { body } = await api<Account & { email: string }>("GET", `/v1/accounts/${account_id}`, { token: adminToken });
  expect(body).toMatchObject({ account_name: "Mine", email: "theirs@example.com", metadata: { crm: "A-2" } });
  expect(body.preferences["statement_descriptor"]).toBe("MINE");
});

test("closing an account by keyboard requires its name and, when the sign-in is old, the password", async ({
  page,
  api,
  adminToken,
  server,
}) => {
  const person = await member(api, adminToken);
  const { account_id } = person;
  const request = { type: "product", amount: 500, currency: "EUR", account_id };
  for (let i = 0; i < 2; i++) await sent(api, person.token, "POST", "/v1/payments", request);
  await sent(api, adminToken, "POST", "/v1/transactions", { ...request, type: "payment", amount: 700 });
  await sent(api, adminToken, "PATCH", "/v1/accounts", { account_id, account_name: "Corner stall" });
  await enter(page, pathOf(account_id));

  const button = page.getByRole("button", { name: "Close account" }).first();
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Close the account “Corner stall”?" });
  await expect(dialog.getByLabel("Type Corner stall to confirm")).toBeFocused();
  await expect(dialog.getByText("€7.00 is still in this account.")).toBeVisible();
  for (const text of [/^1 session:/, /^2 open payment requests/, /^1 member has no other account/, "€7.00 available"]) {
    await expect(dialog.getByText(text)).toBeVisible();
  }
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();

  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Type Corner stall to confirm")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Type Corner stall exactly.")).toBeVisible();
  makeStale(server);
  await dialog.getByLabel("Type Corner stall to confirm").fill("Corner stall");
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Password", { exact: true })).toBeFocused();
  await expectAccessible(page);
  await dialog.getByLabel("Password", { exact: true }).fill("not the password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("The password is wrong.")).toBeVisible();
  await dialog.getByLabel("Password", { exact: true }).fill(firstAdmin.password);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();

  await expect(page.getByText("This account is closed")).toBeVisible();
  await expect(page.getByText("€7.00")).toBeVisible();
  await expect(page.getByRole("link", { name: "Edit" })).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(`${pathOf(account_id)}/edit`);
  await page.waitForURL(`**${pathOf(account_id)}`);
  const login = await api("POST", "/v1/auth/login", { body: { email: person.email, password: person.password } });
  expect(login.body).toMatchObject({ error_code: "account_closed" });
});

test("a member sees and opens only their own accounts, and closing the current one signs them out", async ({
  page,
  api,
  adminToken,
}) => {
  const person = await member(api, adminToken);
  const foreign = await open(api, adminToken, "Somebody else’s");
  await enter(page, listPath, person);
  await expect(page.getByText("1 in total", { exact: true })).toBeVisible();
  await expect(page.getByText("Somebody else’s")).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(pathOf(foreign.account_id));
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();

  await page.goto(`${listPath}/new`);
  await expect(page.getByLabel("Owner")).toHaveCount(0);
  await page.getByLabel("Type").selectOption("Individual");
  await page.getByLabel("Name", { exact: true }).fill("My second");
  await page.getByLabel("E-mail", { exact: true }).fill("second@example.com");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "My second" })).toBeVisible();
  await page.goto(listPath);
  await expect(page.getByText("2 in total", { exact: true })).toBeVisible();

  await page.goto(pathOf(person.account_id));
  const name = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
  await page.getByRole("button", { name: "Close account" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("You will be signed out.")).toBeVisible();
  await expect(dialog.getByText("1 user switches to another account")).toBeVisible();
  await dialog.getByLabel(/^Type .* to confirm$/).fill(name);
  await dialog.getByRole("button", { name: "Close account" }).click();
  await page.waitForURL("**/sign-in?ended=*");
  await expect(page.getByRole("status")).toHaveText("Your account was closed.");
});

test("an account without an owner says so, and gets owners, with their consequences shown first", async ({
  page,
  api,
  adminToken,
}) => {
  const person = await member(api, adminToken);
  const removed = await api("DELETE", `/v1/users/${person.user_id}`, { token: adminToken });
  expect(removed.status).toBe(200);
  await enter(page, pathOf(person.account_id));
  await expect(page.getByText("This account has no owner")).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${listPath}?q=${person.account_id}`);
  await expect(page.getByRole("row").filter({ hasText: "No owner" })).toBeVisible();

  const [first, second] = [await member(api, adminToken), await member(api, adminToken)];
  const give = async (act: string, before: string, to: string) => {
    await page.getByRole("button", { name: act }).click();
    const dialog = page.getByRole("dialog", { name: act, exact: true });
    await expect(dialog.getByText(before)).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: act }).click();
    await expect(dialog.getByRole("alert").filter({ hasText: "There is no such user" })).toBeFocused();
    await dialog.getByRole("combobox", { name: "New owner" }).fill(to);
    await dialog.getByRole("option", { name: to }).click();
    await dialog.getByRole("button", { name: act }).click();
    await expect(page.getByRole("status").filter({ hasText: `${to} now owns` })).toBeVisible();
  };
  await page.goto(pathOf(person.account_id));
  await give("Assign owner", "has no owner now", first.email);
  await give("Change owner", `: ${first.email}`, second.email);
  await expect(page.getByText("This account has no owner")).toHaveCount(0);
});

test("a payment request of an account without an owner says that nobody can pay it", async ({
  page,
  api,
  adminToken,
}) => {
  const person = await member(api, adminToken);
  expect((await api("DELETE", `/v1/users/${person.user_id}`, { token: adminToken })).status).toBe(200);
  await enter(page, "/dashboard/payment-requests/new");
  await page.getByLabel("Description").fill("Market stall");
  await page.getByLabel("Amount").fill("12");
  await page.getByLabel("Account").selectOption(person.account_id);
  await page.getByRole("button", { name: "Create payment request" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Market stall" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "nobody can pay it until" })).toBeFocused();
  await expect(page.getByRole("heading", { name: "Your payment request is ready" })).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(new URL(page.url()).pathname);
  await expect(page.getByText("nobody can pay it until")).toBeVisible();
  await expect(page.getByText("This link takes no other payment")).toHaveCount(0);
  await page.getByRole("link", { name: "Go to the account" }).click();
  await expect(page.getByText("This account has no owner")).toBeVisible();
});
