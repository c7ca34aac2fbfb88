// The dashboard on a slow connection: after an action, the outdated page's buttons are neither shown nor usable.
import type { Page } from "playwright/test";
import { memberPassword, newMember, requestPayment } from "../contract/people";
import { expect, test } from "../fixtures";
import { openMore } from "./more-menu";
import { watchForFaults } from "./page-checks";
import { enter } from "./signing-in";
import { delayNavigations, delayScripts, isNavigation } from "./slow-connection";

const pathOf = (id: string) => `/dashboard/payment-requests/${id}`;

/** Opens the dialog that cancels a payment request and confirms it. */
async function confirmCancellation(page: Page): Promise<void> {
  await openMore(page);
  await page.getByRole("button", { name: "Cancel request" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel request" }).click();
}

async function expectCanceled(page: Page): Promise<void> {
  await expect(page.getByRole("main")).toContainText("This link no longer takes payments.");
  await expect(page.getByRole("button", { name: "Cancel request" })).toHaveCount(0);
}

test.beforeEach(({ page }) => watchForFaults(page));

test("a dialog stays until the page behind it shows the result", async ({ page, api }) => {
  const member = await newMember(api);
  const { payment_id: id } = await requestPayment(api, member, 30_000);
  await enter(page, pathOf(id), { ...member, password: memberPassword });
  const release = await delayNavigations(page);
  const reading = page.waitForRequest(isNavigation);
  await confirmCancellation(page);
  await reading;
  const dialog = page.getByRole("dialog");
  for (const button of await dialog.getByRole("button").all()) await expect(button).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  const outcome = page.getByRole("status").filter({ hasText: "Canceled" });
  await expect(outcome).toHaveCount(0);
  release();
  await expect(dialog).toBeHidden();
  // No waiting: one must follow the other without a gap.
  expect(await page.getByRole("button", { name: "Cancel request" }).count()).toBe(0);
  await expect(outcome).toBeFocused();
  await expectCanceled(page);
});

test("a page that could not be refreshed is fully reloaded", async ({ page, api }) => {
  const member = await newMember(api);
  const { payment_id: id } = await requestPayment(api, member, 30_000);
  await enter(page, pathOf(id), { ...member, password: memberPassword });
  await page.route("**/dashboard/**", (route) =>
    isNavigation(route.request()) ? route.abort("connectionreset") : route.continue(),
  );
  const loading = page.waitForEvent("domcontentloaded");
  await confirmCancellation(page);
  await loading;
  await expectCanceled(page);
});

test("a dialog whose response was lost leaves no outdated button behind", async ({ page, api }) => {
  const member = await newMember(api);
  const { payment_id: id } = await requestPayment(api, member, 30_000);
  await enter(page, pathOf(id), { ...member, password: memberPassword });
  await page.route("**/api/trpc/payments.cancel**", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  const release = await delayNavigations(page);
  await confirmCancellation(page);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toContainText("The server cannot be reached.");
  const reading = page.waitForRequest(isNavigation);
  await page.keyboard.press("Escape");
  await reading;
  for (const button of await dialog.getByRole("button").all()) await expect(button).toBeDisabled();
  await expect(dialog).toBeVisible();
  release();
  await expect(dialog).toBeHidden();
  expect(await page.getByRole("button", { name: "Cancel request" }).count()).toBe(0);
  await expectCanceled(page);
});

test("a form stays busy until the page that it leads to is shown", async ({ page, api }) => {
  const member = await newMember(api);
  await enter(page, "/dashboard/transactions/new", { ...member, password: memberPassword });
  await page.getByLabel("Amount").fill("50");
  const release = await delayNavigations(page);
  const reading = page.waitForRequest(isNavigation);
  const submit = page.getByRole("button", { name: "Record payment" });
  await submit.click();
  await reading;
  await expect(submit).toBeDisabled();
  await page.getByLabel("Amount").press("Enter");
  release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment of €50.00");
  const { data } = (await api<{ data: object[] }>("GET", "/v1/transactions", { token: member.token })).body;
  expect(data).toHaveLength(1);
});

test("a form that is submitted before the scripts have loaded is sent when they have", async ({ page, api }) => {
  const member = await newMember(api);
  const release = await delayScripts(page);
  await page.goto("/sign-in", { waitUntil: "commit" });
  await page.getByLabel("E-mail").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(memberPassword);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Sign in" }).click();
  release();
  await page.waitForURL("**/dashboard**");
});

test("a page prefetches no other page", async ({ page, api }) => {
  const member = await newMember(api);
  const { payment_id: id } = await requestPayment(api, member, 30_000);
  const read: string[] = [];
  page.on("request", (request) => {
    if (isNavigation(request)) read.push(request.url());
  });
  await enter(page, pathOf(id), { ...member, password: memberPassword });
  await page.waitForLoadState("networkidle");
  expect(read).toEqual([]);
});
