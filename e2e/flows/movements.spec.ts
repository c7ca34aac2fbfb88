// Transfers, credits and adjustments in the dashboard, with the balances before and after.
import type { Page } from "playwright/test";
import type { Api } from "../api";
import { expect, test } from "../fixtures";
import { payByForm } from "../payer";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter, enterAt, tabTo } from "./signing-in";

interface Account {
  account_id: string;
  account_name: string;
}

let from: Account;
let to: Account;

test.beforeAll(async ({ api, adminToken: token }) => {
  const open = async (account_name: string) => {
    const body = { account_type: "business", account_name, email: "office@example.com" };
    return (await api<Account>("POST", "/v1/accounts", { token, body })).body;
  };
  const mark = crypto.randomUUID().slice(0, 8);
  from = await open(`Bakery ${mark}`);
  to = await open(`Café ${mark}`);
  const body = { type: "payment", account_id: from.account_id, amount: 12_000, currency: "EUR" };
  await api("POST", "/v1/transactions", { token, body });
});
test.beforeEach(({ page }) => watchForFaults(page));

/** The account's available money in EUR, in cents. */
async function available(api: Api, token: string, { account_id }: Account): Promise<number | undefined> {
  const { body } = await api<{ balances: { currency: string; available: number }[] }>(
    ...["GET", `/v1/accounts/${account_id}`, { token }],
  );
  return body.balances.find(({ currency }) => currency === "EUR")?.available;
}

/** Searches for an account in the field that has the focus, and chooses it. */
async function chooseByKeyboard(page: Page, { account_name }: Account): Promise<void> {
  await page.keyboard.type(account_name);
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText([account_name]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

test("money is transferred by keyboard alone, between two accounts that are shown before and after", async ({
  page,
  api,
  adminToken,
}) => {
  await enter(page, `/dashboard/accounts/${from.account_id}`);
  await enterAt(page, page.getByRole("link", { name: "Transfer" }));
  await expect(page.getByRole("heading", { level: 1, name: "New transfer" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "To", exact: true })).toBeFocused();
  await tabTo(page, page.getByLabel("Amount"));
  await page.keyboard.type("200");
  await expect(page.getByText(`${from.account_name}: €120.00 available, then −€80.00`)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").getByText("Choose the account that the money goes to.")).toBeVisible();
  await expectAccessible(page);
  await tabTo(page, page.getByRole("combobox", { name: "To", exact: true }));
  await chooseByKeyboard(page, to);
  await tabTo(page, page.getByLabel("Amount"));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").getByText("available balance is too small")).toBeVisible();
  await tabTo(page, page.getByLabel("Amount"));
  await page.keyboard.press("Control+A");
  await page.keyboard.type("25");
  await expect(page.getByText(`${to.account_name}: €0.00 available, then €25.00`)).toBeVisible();
  await enterAt(page, page.getByRole("button", { name: "Transfer €25.00" }));
  await expect(page.getByText("Transferred €25.00.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Transfer of €25.00");
  expect(await available(api, adminToken, from)).toBe(9_500);
  expect(await available(api, adminToken, to)).toBe(2_500);
});

test("what a closed account owes after a dispute is settled by keyboard alone", async ({ page, api, adminToken }) => {
  const token = adminToken;
  const named = { account_type: "business", account_name: `Closing ${crypto.randomUUID().slice(0, 8)}` };
  const owing = (await api<Account>("POST", "/v1/accounts", { token, body: { ...named, email: "end@example.com" } }))
    .body;
  const { account_id } = owing;
  const money = { account_id, amount: 1_500, currency: "EUR" };
  const asked = { ...money, type: "product", description: "Last cake" };
  const { body: request } = await api<{ payment_id: string; payment_url: string }>(
    ...["POST", "/v1/payments", { token, body: asked }],
  );
  await payByForm(request.payment_url);
  const away = { ...money, type: "transfer", destination_account_id: from.account_id };
  await api("POST", "/v1/transactions", { token, body: away });
  const event = { token, body: { event: "dispute" } };
  await api("POST", `/v1/sandbox/payments/${request.payment_id}/simulate`, event);
  await api("DELETE", `/v1/auth/close?account_id=${account_id}`, { token });
  expect(await available(api, token, owing)).toBe(-1_500);

  await enter(page, `/dashboard/accounts/${account_id}`);
  await expect(page.getByText("This account is closed")).toBeVisible();
  await enterAt(page, page.getByRole("link", { name: "Settle negative balance" }));
  await expect(page.getByRole("combobox", { name: "To", exact: true })).toHaveValue(owing.account_name);
  await expectAccessible(page);
  const source = page.getByRole("combobox", { name: "From", exact: true });
  await source.fill("");
  await tabTo(page, source);
  await chooseByKeyboard(page, from);
  await tabTo(page, page.getByLabel("Amount"));
  await page.keyboard.type("15");
  await expect(page.getByText(`${owing.account_name}: −€15.00 available, then €0.00`)).toBeVisible();
  await enterAt(page, page.getByRole("button", { name: "Transfer €15.00" }));
  await expect(page.getByText("Transferred €15.00.")).toBeVisible();
  expect(await available(api, token, owing)).toBe(0);
  await page.goto(`/dashboard/accounts/${account_id}`);
  await expect(page.getByRole("link", { name: "Transfer" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Settle negative balance" })).toHaveCount(0);
});

test("a typed account is chosen by leaving the field, and one that does not exist is never replaced by another", async ({
  page,
  api,
  adminToken,
}) => {
  const before = await available(api, adminToken, to);
  await enter(page, `/dashboard/transactions/new?type=credit&account_id=${from.account_id}`);
  const account = page.getByRole("combobox", { name: "Account" });
  const amount = page.getByLabel("Amount");
  await expect(amount).toBeFocused();
  await amount.fill("3");
  await account.fill("no such account");
  await page.keyboard.press("Tab");
  await expect(page.getByText("Choose one from the list.")).toBeVisible();
  await expect(account).toHaveValue("no such account");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Credit €3.00" }).click();
  await expect(page.getByRole("alert").getByText("Choose an account.")).toBeVisible();
  // Right after typing, before the matches are known.
  await account.fill(to.account_name.toUpperCase());
  await page.keyboard.press("Tab");
  await expect(account).toHaveValue(to.account_name);
  await account.fill(to.account_name.slice(0, -1));
  await page.keyboard.press("Enter");
  await expect(account).toHaveValue(to.account_name);
  await account.fill("something else");
  await page.keyboard.press("Escape");
  await expect(account).toHaveValue(to.account_name);
  await page.getByRole("button", { name: "Credit €3.00" }).click();
  await expect(page.getByText("Credited €3.00.")).toBeVisible();
  expect(await available(api, adminToken, to)).toBe((before ?? 0) + 300);
});

test("a credit and an adjustment change the balance by what the form says", async ({ page, api, adminToken }) => {
  const before = (await available(api, adminToken, to)) ?? 0;
  await enter(page, `/dashboard/transactions/new?type=credit&account_id=${to.account_id}`);
  await page.getByLabel("Amount").fill("5");
  await page.getByLabel("Description (optional)").fill("Thanks for your patience");
  await page.getByRole("button", { name: "Credit €5.00" }).click();
  await expect(page.getByText("Credited €5.00.")).toBeVisible();

  await page.goto(`/dashboard/transactions/new?type=adjustment&account_id=${to.account_id}`);
  await page.getByLabel("Direction").selectOption("Take from the balance");
  await page.getByLabel("Reason").selectOption("Rounding");
  await page.getByLabel("Amount").fill("0.05");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Take €0.05" }).click();
  await expect(page.getByText("Took €0.05 from the balance.")).toBeVisible();
  expect(await available(api, adminToken, to)).toBe(before + 495);
});

test("a member transfers to an account by its ID, and may neither credit nor adjust", async ({
  page,
  api,
  adminToken: token,
}) => {
  const person = { email: `member-${crypto.randomUUID()}@example.com`, password: "a long enough passphrase" };
  const { body: user } = await api<Account>("POST", "/v1/users", { token, body: person });
  const body = { type: "payment", account_id: user.account_id, amount: 1_000, currency: "EUR" };
  await api("POST", "/v1/transactions", { token, body });
  await enter(page, "/dashboard/transactions/new?type=transfer", person);
  await expect(page.getByRole("link", { name: "Adjustment" })).toHaveCount(0);
  await page.getByLabel("To").fill("the café");
  await page.getByLabel("Amount").fill("4");
  await page.getByRole("button", { name: "Transfer €4.00" }).click();
  await expect(page.getByRole("alert").getByText("Enter an ID that starts with acct_.")).toBeVisible();
  await page.getByLabel("To").fill(to.account_id);
  await page.getByRole("button", { name: "Transfer €4.00" }).click();
  await expect(page.getByText("Transferred €4.00.")).toBeVisible();
  expect(await available(api, token, user)).toBe(600);
  await page.goto("/dashboard/transactions/new?type=credit");
  await expect(page.getByRole("heading", { level: 1 })).not.toContainText("New credit");
});
