// Passwords in a browser: changed from the user menu, or reset with a link that the command line prints.
import { memberPassword, newMember, resetLink } from "../contract/people";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter } from "./signing-in";

const newPassword = "an entirely new passphrase";
const weakPassword = "Password123!";
const listPath = "/dashboard/transactions";

test.beforeEach(({ page }) => watchForFaults(page));

test("a password is changed by keyboard, and every other session ends", async ({ page, api, browser, baseURL }) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const { email, token } = await newMember(api);
  const elsewhere = await browser.newPage({ baseURL });
  await enter(elsewhere, listPath, { email, password: memberPassword });
  await enter(page, listPath, { email, password: memberPassword });

  await page.getByRole("button", { name: /user menu/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Change password" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/password");
  const current = page.getByLabel("Current password");
  const next = page.getByLabel("New password");
  await expect(page.getByText("This signs you out everywhere else.")).toBeVisible();
  await expectAccessible(page);

  await current.focus();
  await page.keyboard.press("Enter");
  const problems = page.getByRole("alert").filter({ hasText: "2 fields need your attention" });
  await expect(problems).toBeFocused();
  await expect(problems.getByRole("link", { name: "Use at least 8 characters." })).toBeVisible();
  await expectAccessible(page);

  await current.fill("not the password");
  await next.fill(newPassword);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "The password is wrong." })).toBeFocused();
  await expect(current).toHaveAccessibleDescription(/This is not your current password\./);
  await expect(next).toHaveValue(newPassword);

  await current.fill(memberPassword);
  await next.fill(weakPassword);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "This password is too easy to guess." })).toBeFocused();

  await next.fill(newPassword);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Your password has been changed" })).toBeFocused();
  await expect(page.getByText("2 other sessions were signed out.")).toBeVisible();
  await expectAccessible(page);

  await elsewhere.goto(listPath);
  await elsewhere.waitForURL("**/sign-in?next=**");
  expect((await api("GET", "/v1/payments", { token })).status).toBe(401);
  await page.goto(listPath);
  await expect(page.getByRole("heading", { level: 1, name: "Transactions" })).toBeVisible();
  const login = (password: string) => api("POST", "/v1/auth/login", { body: { email, password } });
  expect((await login(memberPassword)).body).toMatchObject({ error_code: "invalid_credentials" });
  expect((await login(newPassword)).status).toBe(200);
  await elsewhere.close();
});

test("the password page requires a sign-in", async ({ page }) => {
  await page.goto("/dashboard/password");
  await page.waitForURL("**/sign-in?next=%2Fdashboard%2Fpassword");
});

test("a reset link sets a new password once and ends every session", async ({ page, api, browser, server }) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const { email, token } = await newMember(api);
  const elsewhere = await browser.newPage({ baseURL: server.url });
  await enter(elsewhere, listPath, { email, password: memberPassword });
  const link = await resetLink(server, email);

  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1, name: "Choose a new password" })).toBeVisible();
  await expect(page.getByText(`For ${email}.`)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Deutsch" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Neues Passwort wählen" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", /^de/);
  await page.getByLabel("Neues Passwort").fill(weakPassword);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Ihr Passwort wurde nicht geändert.");
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.getByLabel("Neues Passwort")).toHaveAccessibleDescription(/zu leicht zu erraten/);
  await expect(page.getByLabel("Neues Passwort")).toHaveValue("");
  await expectAccessible(page);

  // The input must not truncate: the browser would do so silently and set a password other than the pasted one.
  await page.getByRole("link", { name: "English" }).click();
  await page.getByLabel("New password").fill("a long passphrase ".repeat(8));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Use at most 128 characters.")).toBeVisible();
  await elsewhere.goto(listPath);
  await expect(elsewhere.getByRole("heading", { level: 1, name: "Transactions" })).toBeVisible();

  await page.getByLabel("New password").fill(newPassword);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Your password has been changed" })).toBeVisible();
  await expect(page.getByText("You have been signed out everywhere.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Deutsch" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Ihr Passwort wurde geändert" })).toBeVisible();

  await elsewhere.goto(listPath);
  await elsewhere.waitForURL("**/sign-in?next=**");
  await elsewhere.close();
  expect((await api("GET", "/v1/payments", { token })).status).toBe(401);
  await page.goto(`${link}?lang=en`);
  await expect(page.getByRole("heading", { level: 1, name: "This link has been used" })).toBeVisible();
  await expect(page.getByLabel("New password")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Go to sign-in" }).click();
  await page.waitForURL("**/sign-in**");
  await enter(page, listPath, { email, password: newPassword });
});

test("a newer reset link replaces an older one, which then looks like an unknown link", async ({
  page,
  api,
  server,
}) => {
  const { email } = await newMember(api);
  const older = await resetLink(server, email);
  await resetLink(server, email);
  for (const link of [older, "/reset-password/unknown"]) {
    expect((await page.goto(link))?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1, name: "This link is no longer valid" })).toBeVisible();
  }
  await expectAccessible(page);
});
