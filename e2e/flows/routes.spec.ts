// Every page of the app, from its files: each is accessible in both color schemes at three widths, and begins with few
// scripts. A new page fails these tests until it is listed here.
import { readdirSync } from "node:fs";
import type { Page } from "playwright/test";
import type { Api } from "../api";
import { memberPassword, newEmail, newMember, receive } from "../contract/people";
import { expect, test } from "../fixtures";
import { payByForm } from "../payer";
import { initialScripts } from "./initial-scripts";
import { expectAccessible, watchForFaults } from "./page-checks";
import { sent } from "./requests";
import { enter } from "./signing-in";

/** Bytes of the scripts that a page begins with, compressed. */
const mostScript = 260 * 1024;

/** The routes of `app`, such as "/dashboard/users/[user_id]". */
const routes = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)page\.tsx$/.test(file))
  .map((file) => `/${file.replace(/\/?page\.tsx$/, "").replaceAll(/\([^)]*\)\//g, "")}`)
  .toSorted();

/** Pages that need nothing but an admin who has signed in. */
const ofAdmins = [
  "/dashboard",
  "/dashboard/accounts",
  "/dashboard/accounts/new",
  "/dashboard/api-keys",
  "/dashboard/api-keys/new",
  "/dashboard/audit-log",
  "/dashboard/customers",
  "/dashboard/customers/new",
  "/dashboard/email",
  "/dashboard/invoices",
  "/dashboard/jobs",
  "/dashboard/mails",
  "/dashboard/password",
  "/dashboard/payment-requests",
  "/dashboard/payment-requests/new",
  "/dashboard/profile",
  "/dashboard/profile/authenticator",
  "/dashboard/profile/passkey",
  "/dashboard/profile/recovery-codes",
  "/dashboard/settings",
  "/dashboard/settings/mail",
  "/dashboard/settings/organization",
  "/dashboard/settings/sandbox",
  "/dashboard/settings/security",
  "/dashboard/settings/server",
  "/dashboard/subscriptions",
  "/dashboard/transactions",
  "/dashboard/transactions/new",
  "/dashboard/users",
  "/dashboard/users/invitations",
  "/dashboard/users/invite",
];

/** Pages of one record, by the name of its id. */
const ofRecords = [
  "/dashboard/accounts/[account_id]",
  "/dashboard/accounts/[account_id]/edit",
  "/dashboard/accounts/[account_id]/transactions",
  "/dashboard/customers/[customer_id]",
  "/dashboard/customers/[customer_id]/edit",
  "/dashboard/mails/[mail_id]",
  "/dashboard/payment-requests/[payment_id]",
  "/dashboard/payment-requests/[payment_id]/edit",
  "/dashboard/subscriptions/[subscription_id]",
  "/dashboard/transactions/[transaction_id]",
  "/dashboard/users/[user_id]",
];

/** Pages for people who have not signed in; without a link or a half-finished sign-in they say so or lead to another. */
const ofStrangers = [
  "/",
  "/second-factor",
  "/second-factor/authenticator",
  "/second-factor/passkey",
  "/setup",
  "/sign-in",
];

/** What leads here does not exist. */
const missing = "/dashboard/[...path]";

/** Hosted pages that are no files of `app`: of links that were mailed, and the forms that send them. */
const hosted = [
  "/forgot-password",
  "/sign-up",
  "/reset-password/unknown",
  "/invitation/unknown",
  "/email/unknown",
  "/card/unknown",
];

test.beforeEach(({ page }) => watchForFaults(page));

test("the lists of this file name every page, and no page twice", () => {
  expect([...ofAdmins, ...ofRecords, ...ofStrangers, missing].toSorted()).toEqual(routes);
});

test("no page begins with more scripts than its budget", () => {
  const sizes = initialScripts();
  expect([...sizes.keys()].filter((route) => !route.startsWith("/_")).toSorted()).toEqual(routes);
  expect([...sizes].filter(([, size]) => size > mostScript)).toEqual([]);
});

/** One record of each kind, by the names of their ids. */
async function records(api: Api, token: string): Promise<Record<string, string>> {
  const person = await newMember(api);
  const { accountId: account_id } = person;
  const customer = { name: "Ada Lovelace", email: newEmail() };
  const { customer_id } = await sent<{ customer_id: string }>(api, token, "/v1/customers", { account_id, ...customer });
  const asked = { account_id, type: "product", amount: 30_000, currency: "EUR", description: "A row", customer };
  const { payment_id } = await sent<{ payment_id: string }>(api, token, "/v1/payments", asked);
  const invoice = { ...asked, type: "invoice" };
  for (const amount of [900, 1_200, 700]) await sent(api, token, "/v1/payments", { ...invoice, amount });
  const { mail_id } = await sent<{ mail_id: string }>(api, token, `/v1/payments/${payment_id}/send`, {});
  const { transaction_id } = await receive(api, person, 1_250);
  const subscription_id = await newSubscription(api, token);
  return { account_id, customer_id, payment_id, transaction_id, subscription_id, user_id: person.userId, mail_id };
}

/** A subscription whose first payment was made on the pay page. */
async function newSubscription(api: Api, token: string): Promise<string> {
  const customer = { name: "Grace Hopper", email: newEmail() };
  const subscription = { interval: "month", interval_count: 1 };
  const body = { type: "subscription", amount: 900, currency: "EUR", description: "Bread box", customer, subscription };
  const { payment_url } = await sent<{ payment_url: string }>(api, token, "/v1/payments", body);
  await payByForm(payment_url);
  const reply = await api<{ data: { subscription_id: string }[] }>("GET", "/v1/subscriptions?limit=1", { token });
  return reply.body.data[0]?.subscription_id ?? "";
}

/** The address of a record's page. */
const addressOf = (route: string, ids: Record<string, string>) =>
  route.replace(/\[(\w+)\]/, (_, name: string) => ids[name] ?? "unknown");

async function expectPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page);
}

test("every page of records is accessible, of an existing one and of an unknown one", async ({
  page,
  api,
  adminToken,
}) => {
  test.setTimeout(300_000);
  const ids = await records(api, adminToken);
  await enter(page, "/dashboard");
  for (const route of ofRecords) {
    await expectPage(page, addressOf(route, ids));
    const answer = await page.goto(addressOf(route, {}));
    expect(answer?.status(), route).toBe(404);
    await expectAccessible(page);
  }
});

test("every other page is accessible, filled, and empty where it is a list", async ({ page, api, adminToken }) => {
  test.setTimeout(300_000);
  await records(api, adminToken);
  await enter(page, "/dashboard");
  for (const path of [...ofAdmins, "/dashboard/nothing/here"]) await expectPage(page, path);
  const email = newEmail();
  await sent(api, adminToken, "/v1/users", { email, password: memberPassword });
  await page.context().clearCookies();
  await enter(page, "/dashboard", { email, password: memberPassword });
  for (const list of [
    "",
    "/accounts",
    "/customers",
    "/invoices",
    "/payment-requests",
    "/subscriptions",
    "/transactions",
  ]) {
    await expectPage(page, `/dashboard${list}`);
  }
});

test("every page for people who have not signed in is accessible", async ({ page }) => {
  test.setTimeout(120_000);
  for (const path of [...ofStrangers, ...hosted]) await expectPage(page, path);
});
