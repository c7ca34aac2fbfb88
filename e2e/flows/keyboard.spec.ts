// By keyboard alone: an account is created and changed, money is recorded, credited and adjusted, an authorization is
// found and captured, and transactions are exported. Other flows do so for payment requests, refunds, transfers, users
// and sessions.
import { readFileSync } from "node:fs";
import type { Page } from "playwright/test";
import { expect, test } from "../fixtures";
import { payByForm } from "../payer";
import { watchForFaults } from "./page-checks";
import { ask, newMember, paymentOf } from "./requests";
import { enter, enterAt, tabTo } from "./signing-in";

test.beforeEach(({ page }) => watchForFaults(page));

/** Goes to the field and replaces its text. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
}

/** Goes to the field and chooses by the beginning of an option. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(option);
}

test("an account is created, then changed", async ({ page, api, adminToken }) => {
  await enter(page, "/dashboard/accounts");
  await enterAt(page, page.getByRole("link", { name: "New account" }));
  await expect(page.getByRole("heading", { level: 1, name: "New account" })).toBeVisible();
  await type(page, "Name", "Keyboard Repairs");
  await type(page, "E-mail", "repairs@example.com");
  await choose(page, "Type", "Ind");
  await choose(page, "Owner", "Another");
  await tabTo(page, page.getByRole("combobox", { name: "Owner of the account" }));
  await page.keyboard.type("admin@");
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText(["admin@example.com"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await enterAt(page, page.getByRole("button", { name: "Create account" }));
  await expect(page.getByRole("heading", { level: 1, name: "Keyboard Repairs" })).toBeVisible();
  const id = new URL(page.url()).pathname.split("/").at(-1);

  await enterAt(page, page.getByRole("link", { name: "Edit", exact: true }));
  await type(page, "Statement descriptor", "REPAIRS");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/accounts/${id}`);
  const { body } = await api("GET", `/v1/accounts/${id}`, { token: adminToken });
  expect(body).toMatchObject({ account_type: "individual", preferences: { statement_descriptor: "REPAIRS" } });
});

test("money that arrived elsewhere is recorded, and a balance is credited and adjusted", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  const request = await ask(api, member, { description: "Keyboard lessons", amount: 4_000 });
  await enter(page, `/dashboard/transactions/new?payment_id=${request.payment_id}`);
  await expect(page.getByLabel("Amount")).toHaveValue("40.00");
  await type(page, "Amount", "15");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Recorded €15.00." })).toBeFocused();
  expect(await paymentOf(api, member, request.payment_id)).toMatchObject({ amount_paid: 1_500 });

  for (const [kind, reason, done] of [
    ["credit", null, "Credited €2.00."],
    ["adjustment", "Roun", "Added €2.00 to the balance."],
  ] as const) {
    await page.goto(`/dashboard/transactions/new?type=${kind}&account_id=${member.accountId}`);
    await type(page, "Amount", "2");
    if (reason !== null) await choose(page, "Reason", reason);
    await enterAt(page, page.getByRole("button", { name: /€2\.00$/ }));
    await expect(page.getByText(done)).toBeVisible();
  }
});

test("an authorization is found and captured, and the payment is exported", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  const given = { description: "Keyboard rental", capture_method: "manual" };
  const { payment_id, payment_url } = await ask(api, member, given);
  await ask(api, member, { description: "Piano rental" });
  await payByForm(payment_url);
  await enter(page, "/dashboard/payment-requests", member);
  await page.keyboard.press("/");
  await page.keyboard.type("Keyboard");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/payment-requests?q=Keyboard");
  await expect(page.locator("[data-row]")).toHaveText([/Keyboard rental/]);
  await enterAt(page, page.getByRole("row").getByRole("link", { name: "Keyboard rental" }));
  await page.waitForURL(`**/${payment_id}`);
  await enterAt(page, page.getByRole("button", { name: "Capture", exact: true }));
  await expect(page.getByRole("dialog").getByLabel("Amount")).toBeFocused();
  await page.keyboard.type("120");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "€120.00" })).toBeVisible();
  expect(await paymentOf(api, member, payment_id)).toMatchObject({ amount_paid: 12_000, amount_released: 18_000 });

  await page.goto("/dashboard/transactions");
  const download = page.waitForEvent("download");
  await enterAt(page, page.getByRole("link", { name: "Export" }));
  const lines = readFileSync(await (await download).path(), "utf8")
    .trimEnd()
    .split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("120.00");
});
