// Customers in the dashboard: found, created, changed, merged and erased, and what each role sees of them.
import type { Api } from "../api";
import { memberPassword, newMember } from "../contract/people";
import { expect, test } from "../fixtures";
import { moreButton, openMore } from "./more-menu";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter, enterAt, tabTo } from "./signing-in";

const listPath = "/dashboard/customers";
const pathOf = (id: string) => `${listPath}/${id}`;

/** How the person signs in. */
const as = ({ email }: { email: string }) => ({ email, password: memberPassword });

/** Sends a POST that must succeed. */
async function made<T>(api: Api, token: string, path: string, body: object): Promise<T> {
  const reply = await api<T>("POST", path, { token, body });
  if (reply.status !== 200) throw new Error(`POST ${path} was refused: ${reply.text}`);
  return reply.body;
}

type Made = { customer_id: string };
const customer = async (api: Api, token: string, body: object) =>
  (await made<Made>(api, token, "/v1/customers", body)).customer_id;
const request = async (api: Api, token: string, customer_id: string, more: object = {}) => {
  const body = { type: "product", amount: 1250, currency: "EUR", customer: { customer_id }, ...more };
  return (await made<{ payment_id: string }>(api, token, "/v1/payments", body)).payment_id;
};

test.beforeEach(({ page }) => watchForFaults(page));

test("a member creates a customer by keyboard alone, finds it and changes it", async ({ page, api }) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const person = await newMember(api);
  await enter(page, listPath, as(person));
  await expect(page.getByRole("heading", { name: "No customers yet" })).toBeVisible();
  await expectAccessible(page);
  await enterAt(page, page.getByRole("link", { name: "New customer" }).first());
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await enterAt(page, page.getByRole("button", { name: "Create customer" }));
  await expect(page.getByRole("alert").getByText("Enter a name, an e-mail address or a reference.")).toBeVisible();
  await expectAccessible(page);

  await tabTo(page, page.getByLabel("Name", { exact: true }));
  await page.keyboard.type("Grace Hopper");
  await tabTo(page, page.getByRole("textbox", { name: "E-mail" }));
  await page.keyboard.type("grace@example.com");
  await tabTo(page, page.getByLabel("Reference"));
  await page.keyboard.type("C-9");
  await tabTo(page, page.getByLabel("City"));
  await page.keyboard.type("Vienna");
  await tabTo(page, page.getByLabel("Country"));
  await page.keyboard.type("Austria");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Country")).toHaveValue("Austria");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Grace Hopper" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Created the customer “Grace Hopper”." })).toBeFocused();
  for (const text of ["grace@example.com", "C-9", "Austria", "Nothing has been asked of this customer yet."]) {
    await expect(page.getByText(text).first()).toBeVisible();
  }
  await expectAccessible(page);

  await enterAt(page, page.getByRole("link", { name: "Edit" }));
  await expect(page.getByRole("heading", { level: 1, name: "Edit Grace Hopper" })).toBeVisible();
  await expectAccessible(page);
  await tabTo(page, page.getByLabel("Phone"));
  await page.keyboard.type("+43 1 5550100");
  const question = page.waitForEvent("dialog");
  const leaving = page.getByRole("link", { name: "Cancel" }).click();
  await (await question).dismiss();
  await leaving;
  await expect(page.getByLabel("Phone")).toHaveValue("+43 1 5550100");
  await enterAt(page, page.getByRole("button", { name: "Save" }));
  await expect(page.getByText("+43 1 5550100")).toBeVisible();

  await page.goto(`${listPath}?q=hopp`);
  await expect(page.getByRole("row").filter({ hasText: "Grace Hopper" })).toContainText("C-9");
  await expectAccessible(page);
  await page.goto(`${listPath}?email=ada@example.com`);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
});

test("a customer's page shows what was asked and paid, and records lead to it", async ({ page, api }) => {
  const person = await newMember(api);
  const id = await customer(api, person.token, { name: "Grace Hopper", email: "grace@example.com" });
  const payment = await request(api, person.token, id, { description: "Wedding cake" });
  await request(api, person.token, id, { currency: "JPY", amount: 900 });
  const money = { type: "payment", payment_id: payment, amount: 1250, currency: "EUR", customer: { name: "Grace" } };
  const { transaction_id } = await made<{ transaction_id: string }>(api, person.token, "/v1/transactions", money);
  await enter(page, pathOf(id), as(person));
  const sums = page.getByRole("table", { name: "Amounts" });
  await expect(sums.getByRole("row").filter({ hasText: "EUR" })).toContainText("€12.50");
  await expect(sums.getByRole("row").filter({ hasText: "JPY" })).toContainText("¥900");
  await expect(page.getByRole("link", { name: "Payment", exact: true })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("link", { name: "Wedding cake" }).click();
  await page.getByRole("link", { name: "Open customer" }).click();
  await page.waitForURL(`**${pathOf(id)}`);
  await page.goto(`/dashboard/transactions/${transaction_id}`);
  await page.getByRole("link", { name: "Open customer" }).click();
  await page.waitForURL(`**${pathOf(id)}`);
  await page.goto(pathOf("cus_00000000000000000000000000"));
  await expect(page.getByRole("heading", { name: "Customer not found" })).toBeVisible();
});

test("a member asks a customer for money and records what it paid, from its page and by keyboard", async ({
  page,
  api,
}) => {
  test.slow(true, "Two forms are checked for accessibility at three widths in both schemes.");
  const person = await newMember(api);
  await customer(api, person.token, { name: "Elder", email: "family@example.com" });
  const id = await customer(api, person.token, { name: "Grace Hopper", email: "family@example.com", reference: "C-1" });
  await enter(page, pathOf(id), as(person));
  await enterAt(page, page.getByRole("link", { name: "New payment request" }));
  await expect(page.getByLabel("Customer name")).toHaveValue("Grace Hopper");
  await expectAccessible(page);
  await enterAt(page, page.getByRole("link", { name: "Cancel" }));
  await page.waitForURL(`**${pathOf(id)}`);
  await enterAt(page, page.getByRole("link", { name: "New payment request" }));
  await tabTo(page, page.getByLabel("Description"));
  await page.keyboard.type("Wedding cake");
  await tabTo(page, page.getByLabel("Amount", { exact: true }));
  await page.keyboard.type("12.50");
  await enterAt(page, page.getByRole("button", { name: "Create payment request" }));
  await page.getByRole("link", { name: "Open customer" }).click();
  await page.waitForURL(`**${pathOf(id)}`);

  await enterAt(page, page.getByRole("link", { name: "Record a payment" }));
  await expect(page.getByLabel("Customer e-mail")).toHaveValue("family@example.com");
  await expectAccessible(page);
  await enterAt(page, page.getByRole("link", { name: "Cancel" }));
  await page.waitForURL(`**${pathOf(id)}`);
  await enterAt(page, page.getByRole("link", { name: "Record a payment" }));
  await tabTo(page, page.getByLabel("Amount", { exact: true }));
  await page.keyboard.type("3");
  await enterAt(page, page.getByRole("button", { name: "Record payment" }));
  await page.waitForURL(/transactions\/txn_/);
  await page.goto(pathOf(id));
  await expect(page.getByRole("row").filter({ hasText: "€3.00" })).toBeVisible();
});

test("forms offer the account's customers, by keyboard, and take a new name too", async ({ page, api }) => {
  const person = await newMember(api);
  const id = await customer(api, person.token, { name: "Grace Hopper", email: "grace@example.com" });
  const nameless = await customer(api, person.token, { name: "Grace Murray" });
  const option = page.getByRole("listbox", { name: "Matches" }).getByRole("option");
  const name = page.getByLabel("Customer name");
  await enter(page, "/dashboard/transactions/new?type=payment", as(person));
  await page.getByLabel("Amount", { exact: true }).fill("3");
  await expect(name).toHaveAccessibleDescription("Choose a customer, or enter a new one.");
  await name.pressSequentially("hopp");
  await expect(option).toHaveCount(1);
  await expect(option).toHaveText(/Grace Hopper/);
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(name).toHaveValue("Grace Hopper");
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription("One of your customers");
  const email = page.getByLabel("Customer e-mail");
  await expect(email).toHaveValue("grace@example.com");
  await expectAccessible(page);
  // Another name is another customer's, and none leaves nobody.
  for (const [other, hint] of [
    ["Ada Lovelace", "A new customer, unless one has this e-mail address."],
    ["", "Choose a customer, or enter a new one."],
  ] as const) {
    await name.fill("hopp");
    await option.filter({ hasText: "Grace Hopper" }).click();
    await expect(email).toHaveValue("grace@example.com");
    await name.fill(other);
    await expect(email).toHaveValue("");
    await expect(name).toHaveAccessibleDescription(hint);
  }
  await name.fill("hopp");
  await option.filter({ hasText: "Grace Hopper" }).click();
  await page.getByRole("button", { name: "Record payment" }).click();
  await page.getByRole("link", { name: "Open customer" }).click();
  await page.waitForURL(`**${pathOf(id)}`);

  await page.goto("/dashboard/payment-requests/new");
  await page.getByLabel("Description").fill("Wedding cake");
  await page.getByLabel("Amount").fill("125");
  await name.click();
  await expect(option).toHaveCount(2);
  await option.filter({ hasText: "Grace Murray" }).click();
  await expect(name).toHaveAccessibleDescription("One of your customers");
  await name.fill("hopp");
  await option.filter({ hasText: "Grace Hopper" }).click();
  await expect(name).toHaveAccessibleDescription("One of your customers");
  await expect(email).toHaveValue("grace@example.com");
  await name.fill("Ada Lovelace");
  await expect(email).toHaveValue("");
  await expect(name).toHaveAccessibleDescription("A new customer, unless one has this e-mail address.");
  await expect(option).toHaveCount(0);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Open customer" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Ada Lovelace" })).toBeVisible();
  for (const other of [id, nameless]) expect(page.url()).not.toContain(other);
});

test("a link to a form for an unknown or erased customer is not found", async ({ page, api }) => {
  const person = await newMember(api);
  const erased = await customer(api, person.token, { name: "Gone" });
  expect((await api("DELETE", `/v1/customers/${erased}`, { token: person.token })).status).toBe(200);
  await enter(page, listPath, as(person));
  for (const form of ["payment-requests/new?", "transactions/new?type=payment&"]) {
    for (const id of ["cus_00000000000000000000000000", erased]) {
      await page.goto(`/dashboard/${form}customer_id=${id}`);
      await expect(page.getByRole("heading", { name: /not found/ })).toBeVisible();
    }
  }
});

test("a member merges a customer into another by keyboard alone", async ({ page, api }) => {
  const person = await newMember(api);
  const twin = await customer(api, person.token, { name: "G. Hopper", reference: "C-1" });
  const kept = await customer(api, person.token, { name: "Grace Hopper", email: "grace@example.com" });
  await request(api, person.token, twin, { description: "Wedding cake" });
  await enter(page, pathOf(twin), as(person));
  await openMore(page);
  await page.getByRole("button", { name: "Merge" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Merge the customer “G. Hopper” into another?" });
  await expect(dialog).toContainText("The payment requests of this customer move to the other one");
  const field = dialog.getByRole("combobox", { name: "Customer that stays" });
  await expect(field).toBeFocused();
  await page.keyboard.type("grace");
  await expect(dialog.getByRole("option")).toHaveText([/^Grace Hopper/]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("Grace Hopper");
  await expectAccessible(page);
  // A dialog that was closed forgets the choice.
  await page.keyboard.press("Escape");
  await openMore(page);
  await page.getByRole("button", { name: "Merge" }).press("Enter");
  await expect(field).toHaveValue("Choose a customer");
  await enterAt(page, dialog.getByRole("button", { name: "Merge" }));
  await expect(dialog.getByRole("alert")).toBeVisible();
  await tabTo(page, field);
  await page.keyboard.type("grace");
  await expect(dialog.getByRole("option")).toHaveText([/^Grace Hopper/]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await enterAt(page, dialog.getByRole("button", { name: "Merge" }));
  await page.waitForURL(`**${pathOf(kept)}`);
  await expect(page.getByText("Merged “G. Hopper” into “Grace Hopper”.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Wedding cake" })).toBeVisible();

  await page.goto(pathOf(twin));
  await expect(page.getByText("This customer was merged")).toBeVisible();
  await expect(moreButton(page)).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "another customer" }).click();
  await page.waitForURL(`**${pathOf(kept)}`);
});

test("a member erases a customer after typing the name, by keyboard alone", async ({ page, api, adminToken }) => {
  const person = await newMember(api);
  const id = await customer(api, person.token, { name: "Grace Hopper", email: "grace@example.com" });
  const payment = await request(api, person.token, id, { description: "Wedding cake" });
  // The member has not verified the own address yet.
  await made(api, adminToken, `/v1/payments/${payment}/send`, {});
  await enter(page, pathOf(id), as(person));
  await openMore(page);
  await expect(page.getByRole("button", { name: "Erase" })).toHaveCSS("color", "rgb(201, 42, 42)");
  await enterAt(page, page.getByRole("button", { name: "Erase" }));
  const dialog = page.getByRole("dialog", { name: "Erase the customer “Grace Hopper”?" });
  await expect(dialog.getByRole("textbox")).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type("Grace");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("Grace Hopper");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Erased customer" })).toBeVisible();
  await expect(page.getByText("Grace")).toHaveCount(0);
  await expect(page.getByRole("link", { name: /Erased address/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: /Erased address/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Erased subject" })).toBeVisible();
  await page.goto(`/dashboard/payment-requests/${payment}`);
  await expect(page.getByText("The customer was erased.")).toBeVisible();
  await expect(page.getByText("grace@example.com")).toHaveCount(0);
  await page.goto(listPath);
  await expect(page.getByRole("heading", { name: "No customers yet" })).toBeVisible();
});

test("a customer that somebody merges meanwhile is not erased, and the dialog says so", async ({
  page,
  api,
  adminToken,
}) => {
  const person = await newMember(api);
  const id = await customer(api, person.token, { name: "Ada" });
  await enter(page, pathOf(id), as(person));
  await moreButton(page).click();
  await page.getByRole("button", { name: "Erase" }).click();
  const dialog = page.getByRole("dialog", { name: "Erase the customer “Ada”?" });
  await dialog.getByRole("textbox").fill("Ada");
  // Meanwhile somebody else has merged it away.
  const into = await customer(api, person.token, { name: "Grace" });
  await made(api, adminToken, `/v1/customers/${id}/merge`, { into_customer_id: into });
  await dialog.getByRole("button", { name: "Erase customer" }).click();
  await expect(dialog.getByRole("alert")).toContainText("This customer does not exist");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("This customer was merged")).toBeVisible();
});

test("the search over everything finds customers, and another member sees none of them", async ({ page, api }) => {
  const [person, other] = [await newMember(api), await newMember(api)];
  const name = `Zyx ${crypto.randomUUID().slice(0, 8)}`;
  const id = await customer(api, person.token, { name, reference: "C-77" });
  await enter(page, listPath, as(person));
  await page.keyboard.press("ControlOrMeta+K");
  await made(api, person.token, "/v1/transactions", {
    ...{ type: "payment", amount: 100, currency: "EUR", description: name },
  });
  await page.getByRole("dialog").getByRole("combobox").fill(name);
  await expect(page.getByRole("group", { name: "Transactions", exact: true }).getByRole("option")).toHaveCount(1);
  await expect(page.getByRole("listbox").getByRole("option").first()).toContainText("C-77");
  const found = page.getByRole("group", { name: "Customers", exact: true }).getByRole("option", { name });
  await expect(found).toContainText("C-77");
  await expectAccessible(page);
  await found.click();
  await page.waitForURL(`**${pathOf(id)}`);

  await page.context().clearCookies();
  await enter(page, pathOf(id), as(other));
  await expect(page.getByRole("heading", { name: "Customer not found" })).toBeVisible();
});

test("lists of one customer's records say whose they are", async ({ page, api }) => {
  const person = await newMember(api);
  const id = await customer(api, person.token, { name: "Ada Lovelace" });
  await enter(page, listPath, as(person));
  for (const list of ["payment-requests", "invoices", "subscriptions", "transactions"]) {
    await page.goto(`/dashboard/${list}?customer_id=${id}`);
    await expect(page.getByRole("link", { name: "Remove filter Customer: Ada Lovelace" })).toBeVisible();
  }
});
