// Settings → Organization and Security: an admin changes the amounts for step-up by keyboard alone; viewers only read.
import { memberPassword, newEmail } from "../contract/people";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter } from "./signing-in";

test.beforeEach(({ page }) => watchForFaults(page));

const settings = "/dashboard/settings/organization";
const security = "/dashboard/settings/security";

test("an admin adds and removes a currency by keyboard, and reads who may sign up", async ({ page }) => {
  await enter(page, "/dashboard/settings");
  await page.waitForURL(`**${settings}`);
  await expect(page.getByText("The server’s environment variable SIGNUP")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Security" }).click();
  await page.waitForURL(`**${security}`);
  await page.getByRole("button", { name: "Add a currency" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Currency", { exact: true }).last()).toBeFocused();
  const save = page.getByRole("button", { name: "Save amounts" });
  await save.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Choose a currency.").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Currency", { exact: true }).last().focus();
  await page.keyboard.type("SEK");
  await page.keyboard.press("Tab");
  await page.keyboard.type("250,50");
  await expect(page.getByText(/^Up to SEK\s250\.50$/)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Saved the settings." })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Amount per hour").last()).toHaveValue("250.50");
  await page.getByRole("button", { name: /row 5: SEK$/ }).click();
  await expect(page.getByRole("button", { name: "Add a currency" })).toBeFocused();
  await save.click();
  await expect(page.getByRole("status").filter({ hasText: "Saved the settings." })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Amount per hour")).toHaveCount(4);
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Server" }).click();
  await expect(page.getByText(/^(SQLite|PostgreSQL) \d+\.\d+/)).toBeVisible();
  await expect(page.getByText("docs/operating.md, “Mail”")).toBeVisible();
  await expectAccessible(page);
});

test("each page of the settings is named the same way in its title, heading, tab and menu", async ({ page }) => {
  await enter(page, "/dashboard/settings");
  for (const name of ["Organization", "Security", "Mail", "Sandbox", "Server"]) {
    const tabs = page.getByRole("navigation", { name: "Settings" });
    await tabs.getByRole("link", { name }).click();
    await expect(page).toHaveTitle(new RegExp(`^${name} · Settings · `));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
    await expect(tabs.locator("[aria-current]")).toHaveText(name);
    await expect(page.getByRole("navigation", { name: "Main" }).locator("[aria-current]")).toHaveText("Settings");
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Search everything" });
    await palette.getByRole("combobox").fill(`${name} settings`);
    await expect(palette.getByRole("option").first()).toHaveText(`${name} · Settings`);
    await page.keyboard.press("Escape");
  }
});

test("an admin chooses what is charged after the server did not run", async ({ page }) => {
  await enter(page, settings);
  const rules = page.getByRole("radiogroup", { name: /^If no renewal could be charged/ });
  const choose = async (name: string) => {
    await rules.getByRole("radio", { name }).check();
    await page.getByRole("button", { name: "Save subscription settings" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Saved the settings." })).toBeVisible();
    await page.reload();
    await expect(rules.getByRole("radio", { name })).toBeChecked();
  };
  await expect(rules.getByRole("radio", { name: "Charge the newest period only" })).toBeChecked();
  await expectAccessible(page);
  await choose("Charge every period");
  await choose("Charge the newest period only");
});

test("an admin chooses how long invoices to erased customers are kept", async ({ page }) => {
  await enter(page, settings);
  const years = page.getByRole("textbox", { name: "Years to keep them" });
  const save = async (text: string) => {
    await years.fill(text);
    await page.getByRole("button", { name: "Save invoice settings" }).click();
  };
  await save("31");
  await expect(page.getByText("Enter a whole number from 1 to 30.").first()).toBeVisible();
  await save("7");
  await expect(page.getByRole("status").filter({ hasText: "Saved the settings." })).toBeVisible();
  await page.reload();
  await expect(years).toHaveValue("7");
  await save("10");
  await expect(page.getByRole("status").filter({ hasText: "Saved the settings." })).toBeVisible();
});

test("viewers read the settings, and change none", async ({ page, api, adminToken }) => {
  const email = newEmail();
  await api("POST", "/v1/users", { token: adminToken, body: { email, password: memberPassword, role: "viewer" } });
  await enter(page, settings, { email, password: memberPassword });
  await expect(page.getByText("Members may record payments only in the sandbox.")).toBeVisible();
  await expect(page.getByText("only the newest period is charged")).toBeVisible();
  await expect(page.getByText("kept for 10 years")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Save/ })).toHaveCount(0);
  await expect(page.getByRole("navigation", { name: "Settings" }).getByRole("link")).toHaveCount(4);
  await page.goto(security);
  await expect(page.getByText("Nobody", { exact: true })).toBeVisible();
  await expect(page.getByText("€1,000.00")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Save/ })).toHaveCount(0);
  await expectAccessible(page);
});
