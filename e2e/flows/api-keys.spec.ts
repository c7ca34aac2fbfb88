// API keys in the dashboard: created, used, rotated and revoked, by roles and labels and by keyboard alone.
import type { Page } from "playwright/test";
import type { Api } from "../api";
import { newMember, runProgram } from "../contract/people";
import { expect, test } from "../fixtures";
import { firstAdmin } from "../server";
import { makeStale } from "../trouble";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter } from "./signing-in";

// The tests see each other's keys, make sign-ins old and leave keys of removed users.
test.use({ apart: "api-keys" });
test.beforeEach(({ page }) => watchForFaults(page));

const list = "/dashboard/api-keys";
const secretOf = (page: Page) => page.locator("code").filter({ hasText: /^qtsk_/ });
const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const statusOf = async (api: Api, token: string) => (await api("GET", "/v1/payments", { token })).status;

test("an admin creates a key for one account by keyboard alone, and sees its secret once", async ({ page, api }) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  await newMember(api, { account: { account_type: "business", account_name: "Corner shop" } });
  await enter(page, list);
  await expect(page.getByRole("heading", { name: "No API keys yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "New API key" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${list}/new`);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Create API key" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main").getByRole("alert")).toBeFocused();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Choose at least one permission.");
  await expectAccessible(page);
  await page.getByLabel("Name", { exact: true }).focus();
  await page.keyboard.type("Till at the bakery");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("combobox", { name: "Account" })).toBeFocused();
  await expect(page.getByRole("checkbox", { name: "See users" })).toBeVisible();
  // Enter without a match neither chooses an account nor sends the form.
  await page.keyboard.type("No such shop");
  await expect(page.getByText("No account matches.")).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("corner");
  const found = page.getByRole("option");
  await expect(found).toHaveText(["Corner shop"]);
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Account" })).toHaveValue("Corner shop");
  await expect(page.getByRole("checkbox", { name: "See users" })).toHaveCount(0);
  await page.getByRole("checkbox", { name: "See payment requests", exact: true }).focus();
  await page.keyboard.press("Space");
  await page.getByLabel("Allowed addresses").fill("127.0.0.0/8\n::1");
  await page.getByLabel("Expires").fill("2020-01-01");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Choose a day that has not passed.");
  await page.getByLabel("Expires").fill("");
  await page.getByLabel("Expires").press("Enter");

  await expect(page.getByRole("heading", { name: "“Till at the bakery” is ready" })).toBeFocused();
  await expectAccessible(page);
  const secret = (await secretOf(page).textContent()) ?? "";
  await expect(page.getByRole("button", { name: "Copy" })).toBeVisible();
  expect(await statusOf(api, secret)).toBe(200);
  await page.getByRole("link", { name: "Done" }).click();
  const row = rowOf(page, "Till at the bakery");
  await expect(row).toContainText("Corner shop");
  await expect(row).toContainText("Active");
  await expect(row).toContainText(`…${secret.slice(-4)}`);
  await expect(page.locator("body")).not.toContainText(secret);
  await expectAccessible(page);
});

test("rotating asks for the password after an old sign-in, and keeps the old secret for the chosen time", async ({
  page,
  api,
  adminToken,
  server,
}) => {
  const body = { name: "Export", scopes: ["payments:read"] };
  const made = await api<{ secret: string }>("POST", "/v1/api_keys", { token: adminToken, body });
  await enter(page, list);
  makeStale(server);
  await page.getByRole("button", { name: "Rotate Export" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Rotate “Export”?" });
  await expectAccessible(page);
  await dialog.getByLabel("The current secret").selectOption("works for another hour");
  await dialog.getByRole("button", { name: "Rotate", exact: true }).click();
  const password = dialog.getByLabel("Password", { exact: true });
  await expect(password).toBeFocused();
  await page.keyboard.type(firstAdmin.password);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("heading", { name: "“Export” has a new secret" })).toBeFocused();
  await expectAccessible(page);
  const secret = (await secretOf(page).textContent()) ?? "";
  expect([await statusOf(api, made.body.secret), await statusOf(api, secret)]).toEqual([200, 200]);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, "Export")).toContainText("Old secret works until");
  await expect(secretOf(page)).toHaveCount(0);
});

test("revoking is confirmed, and ends the key at once", async ({ page, api, adminToken }) => {
  const body = { name: "Old shop", scopes: ["payments:read"] };
  const made = await api<{ secret: string }>("POST", "/v1/api_keys", { token: adminToken, body });
  await enter(page, list);
  await page.getByRole("button", { name: "Revoke Old shop" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Revoke “Old shop”?" });
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await expectAccessible(page);
  expect(await statusOf(api, made.body.secret)).toBe(200);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Revoked “Old shop”." })).toBeVisible();
  await expect(rowOf(page, "Old shop")).toContainText("Revoked");
  await expect(page.getByRole("button", { name: "Revoke Old shop" })).toHaveCount(0);
  expect(await statusOf(api, made.body.secret)).toBe(401);
});

test("a key of a removed admin asks to be rotated; members have no such page", async ({
  page,
  api,
  server,
  adminToken,
}) => {
  const leaving = await newMember(api, {});
  const person = { email: `leaving-${crypto.randomUUID()}@example.com`, password: "a long enough passphrase" };
  const user = await api<{ user_id: string }>("POST", "/v1/users", {
    token: adminToken,
    body: { ...person, role: "admin" },
  });
  await runProgram(server, "server/cli.ts", ["user", "verify", person.email]);
  const login = await api<{ access_token: string }>("POST", "/v1/auth/login", { body: person });
  const body = { name: "Left behind", scopes: ["payments:read"] };
  await api("POST", "/v1/api_keys", { token: login.body.access_token, body });
  await api("DELETE", `/v1/users/${user.body.user_id}`, { token: adminToken, body: { revoke_api_keys: false } });
  await enter(page, list);
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention).toContainText("A former admin may know a secret of the API key Left behind.");
  await expect(rowOf(page, "Left behind")).toContainText("Rotate it: a former admin may know a secret");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Rotate Left behind" }).click();
  const dialog = page.getByRole("dialog", { name: "Rotate “Left behind”?" });
  // While the previous secret works, the former admin may know it.
  await dialog.getByLabel("The current secret").selectOption("ends at once");
  await dialog.getByRole("button", { name: "Rotate", exact: true }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(attention).toBeHidden();

  await page.context().clearCookies();
  await enter(page, "/dashboard/accounts", { email: leaving.email, password: person.password });
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "API keys" })).toHaveCount(0);
  expect((await page.goto(list))?.status()).toBe(403);
});
