// What an admin does in a browser: set up, sign in, create a payment request, see it paid, sign out.
import type { Page } from "playwright/test";
import { expect, test } from "../fixtures";
import { firstAdmin, startServer } from "../server";
import { expectAccessible, watchForFaults } from "./page-checks";
import { untilInteractive } from "./signing-in";
import { isNavigation } from "./slow-connection";

const home = "/dashboard";
const listPath = `${home}/payment-requests`;

async function signIn(page: Page, { email, password } = firstAdmin) {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function fillRequest(page: Page, what: string, amount: string) {
  await page.getByLabel("Description").fill(what);
  await page.getByLabel("Amount").fill(amount);
  await page.getByLabel("Customer e-mail").fill("grace@example.com");
}

test.beforeEach(({ page }) => watchForFaults(page));

test("the one-time link sets up the instance and works only once", async ({ page }) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const server = await startServer({ engine: "sqlite", env: { ADMIN_EMAIL: "", ADMIN_PASSWORD: "" } });
  try {
    const link = /http\S+\/setup\?token=\S+/.exec(server.logs())?.[0] ?? "";
    await page.goto(`${server.url}/setup`);
    await expect(page.getByText("Open the set-up link that the server printed")).toBeVisible();

    await page.goto(link);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create organization" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "3 fields need your attention" })).toBeFocused();
    await expectAccessible(page);
    await page.getByLabel("Organization name").fill("Ada's bakery");
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill("password");
    await page.getByRole("button", { name: "Create organization" }).click();
    await expect(page.getByText("This password is too easy to guess")).toBeVisible();
    await page.getByLabel("Password", { exact: true }).fill("a long and odd sentence");
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.waitForURL(server.url + home);
    await expect(page.getByRole("heading", { name: "Welcome to Ada's bakery" })).toBeVisible();
    await expectAccessible(page);

    await page.goto(link);
    await expect(page.getByText("Quittance has already been set up here.")).toBeVisible();
    await expect(page.getByLabel("Password")).toHaveCount(0);
    await expectAccessible(page);
  } finally {
    await server.stop();
  }
});

test("a wrong password shows an error and keeps the e-mail address", async ({ page }) => {
  await page.goto("/");
  await page.waitForURL("**/sign-in");
  await expectAccessible(page);
  await signIn(page, { ...firstAdmin, password: "not the password" });
  const alert = page.getByRole("alert").filter({ hasText: "The e-mail address or password is wrong." });
  await expect(alert).toBeFocused();
  await expect(page.getByLabel("E-mail")).toHaveValue(firstAdmin.email);
  await expectAccessible(page);
});

test("signing in works by keyboard alone and returns to the requested page", async ({ page }) => {
  await page.goto("/dashboard/transactions");
  await page.waitForURL("**/sign-in?next=%2Fdashboard%2Ftransactions");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await page.keyboard.type(firstAdmin.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(firstAdmin.password);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/transactions");

  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#content")).toBeFocused();
});

test("input that a password manager fills in before the scripts run is used", async ({ page }) => {
  let release = () => {};
  const delayed = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.js", async (route) => {
    await delayed;
    await route.continue();
  });
  await page.goto("/sign-in", { waitUntil: "commit" });
  await page.getByLabel("E-mail").fill(firstAdmin.email);
  await page.getByLabel("Password", { exact: true }).fill(firstAdmin.password);
  release();
  await untilInteractive(page);
  await expect(page.getByLabel("E-mail")).toHaveValue(firstAdmin.email);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`**${home}`);
});

test("no link leads out of the app after signing in", async ({ page, server }) => {
  for (const next of ["//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example"]) {
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await signIn(page);
    await page.waitForURL(server.url + home);
    await page.context().clearCookies();
  }
});

test("a payment request is created, its link copied, paid by the customer and shown as paid", async ({
  page,
  context,
  server,
}) => {
  test.slow(true, "One payment is followed from its request to its rows.");
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
  await page.goto("/sign-in");
  await signIn(page);
  await page.getByRole("link", { name: "New payment request" }).first().click();
  await page.waitForURL(`**${listPath}/new`);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Create payment request" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "2 fields need your attention" })).toBeFocused();
  await fillRequest(page, "Marzipan cake", "1,249.505");
  await page.getByRole("button", { name: "Create payment request" }).click();
  await expect(page.getByRole("alert").getByText("Use at most 2 decimals.")).toBeVisible();
  await page.getByLabel("Amount").fill("1,249.50");
  await expect(page.getByText("The customer pays €1,249.50")).toBeVisible();
  await page.getByRole("button", { name: "Create payment request" }).click();

  await expect(page.getByRole("button", { name: "Copy", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toBeAttached();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(await page.getByLabel("Payment link").inputValue());
  expect(new URL(link).origin).toBe(server.url);

  const customer = await context.newPage();
  await customer.goto(link);
  await expect(customer.getByText("Marzipan cake")).toBeVisible();
  await customer.getByLabel("Card number").fill("4242 4242 4242 4242");
  await customer.getByLabel("Expiry date").fill("12/34");
  await customer.getByLabel("Security code").fill("123");
  await customer.getByRole("button", { name: /Pay/ }).click();
  await expect(customer.getByRole("heading", { level: 1 })).toHaveText("Payment received");
  await customer.close();

  await page.goto(listPath);
  const row = page.getByRole("row").filter({ hasText: "Marzipan cake" });
  await expect(row).toContainText("Paid");
  await expect(row).toContainText("1,249.50");
  await page.getByRole("link", { name: "Transactions" }).click();
  const transaction = page.getByRole("row").filter({ hasText: "grace@example.com" });
  await expect(transaction).toContainText("Succeeded");
  await expect(transaction).toContainText("1,249.50");
});

test("signing out ends the session, also for a page that is open in another tab", async ({ page, context }) => {
  await page.goto("/sign-in");
  await signIn(page);
  await page.waitForURL(`**${home}`);
  const other = await context.newPage();
  await other.goto(listPath);
  await page.getByRole("link", { name: "Transactions", exact: true }).click();
  await page.waitForURL("**/dashboard/transactions");
  await page.getByRole("button", { name: /user menu/ }).click();
  await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in?ended=*");
  await expect(page.getByRole("status")).toHaveText("You are signed out.");
  await expectAccessible(page);
  await page.goBack();
  await page.waitForURL("**/sign-in?next=**");
  await other.getByRole("link", { name: "Transactions" }).click();
  await other.waitForURL("**/sign-in?next=**");
});

test("a list is paged, and each page has its own address", async ({ page, api, adminToken }) => {
  for (let count = 1; count <= 21; count++) {
    const body = { type: "product", amount: count, currency: "JPY", description: `Ticket ${count}.` };
    expect((await api("POST", "/v1/payments", { token: adminToken, body })).status).toBe(200);
  }
  await page.goto("/sign-in");
  await signIn(page);
  await page.getByRole("link", { name: "Payment requests", exact: true }).click();
  await expect(page.getByRole("row").filter({ hasText: "Ticket 21." })).toBeVisible();
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Ticket 1." })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("row").filter({ hasText: "Ticket 1." })).toBeVisible();
  const pages = page.getByRole("navigation", { name: "Pages of Payment requests" });
  await expect(pages).toContainText(/21–\d+ of \d+/);
  await pages.getByRole("link", { name: "Newer" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Ticket 21." })).toBeVisible();
  await expect(pages).toContainText(/1–20 of \d+/);
  expect(new URL(page.url()).search).toBe("");

  await page.goto(`${listPath}?cursor=garbage`);
  await expect(page.getByRole("heading", { name: "This page of the list no longer exists" })).toBeVisible();
  await expectAccessible(page);
});

test.describe("with a German browser in Tokyo", () => {
  test.use({ locale: "de-DE", timezoneId: "Asia/Tokyo" });

  test("texts, amounts and dates follow that locale and time zone", async ({ page, api, adminToken }) => {
    const readAgain: string[] = [];
    page.on("request", (request) => {
      if (isNavigation(request) && new URL(request.url()).pathname === new URL(page.url()).pathname) {
        readAgain.push(request.url());
      }
    });
    await page.goto(`/sign-in?next=${listPath}/new`);
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await page.getByRole("button", { name: "Anmelden" }).click();
    await expect(page.getByText("Geben Sie Ihr Passwort ein.").first()).toBeVisible();
    await page.getByLabel("E-Mail").fill(firstAdmin.email);
    await page.getByLabel("Passwort", { exact: true }).fill(firstAdmin.password);
    await page.getByRole("button", { name: "Anmelden" }).click();
    await page.waitForURL(`**${listPath}/new`);
    await page.waitForLoadState("networkidle");
    // The zone was known before the dashboard was shown.
    expect(readAgain).toEqual([]);
    await page.getByLabel("Beschreibung").fill("Baumkuchen");
    await page.getByLabel("Betrag").fill("1.234,5");
    await expect(page.getByText("Der Kunde zahlt 1.234,50 €")).toBeVisible();
    await page.getByRole("button", { name: "Zahlungsanfrage erstellen" }).click();
    await expect(page.getByRole("heading", { name: "Baumkuchen" })).toBeVisible();
    await page.goto(listPath);

    type List = { data: { description: string; amount: number; created_at: string }[] };
    const { data } = (await api<List>("GET", "/v1/payments", { token: adminToken })).body;
    const payment = data.find(({ description }) => description === "Baumkuchen");
    expect(payment?.amount).toBe(123_450);
    const row = page.getByRole("row").filter({ hasText: "Baumkuchen" });
    await expect(row).toContainText("1.234,50");
    const inTokyo = new Intl.DateTimeFormat("de-DE", {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: "Asia/Tokyo",
    });
    await expect(row.getByTitle(inTokyo.format(new Date(payment?.created_at ?? "")))).toBeVisible();
  });
});

test("an unknown address shows the not-found page, which leads strangers nowhere", async ({ page }) => {
  const response = await page.goto("/nowhere");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expect(page.getByText("Quittance", { exact: true })).toBeVisible();
  await expect(page.getByRole("link")).toHaveCount(0);
  await expectAccessible(page);
});
