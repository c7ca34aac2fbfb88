// Failed jobs in the dashboard: announced on every page, listed, and retried one by one or all at once.

import type { Api } from "../api";
import { newMember, requestPayment } from "../contract/people";
import { expect, test } from "../fixtures";
import type { TestServer } from "../server";
import { failJobs, removeDeadJobs } from "../trouble";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter } from "./signing-in";
import { delayNavigations, isNavigation } from "./slow-connection";

// The failed jobs would show up for every admin of a shared server.
test.use({ apart: "jobs" });

test.beforeEach(({ page }) => watchForFaults(page));

/** Creates `count` dead jobs in the admin's organization. */
async function fail(api: Api, server: TestServer, count: number): Promise<void> {
  const { payment_id } = await requestPayment(api, await newMember(api), 1250, { description: "Ticket" });
  failJobs(server, payment_id, count);
}

test("all failed jobs are retried at once, and the page says so", async ({ page, api, server }) => {
  await fail(api, server, 2);
  await enter(page, "/dashboard/accounts");
  await expect(page.getByRole("region", { name: "Needs attention" })).toContainText("2 background jobs have failed.");
  await page.getByRole("link", { name: "Show failed jobs" }).click();
  await expect(page).toHaveTitle(/Failed jobs/);
  await expect(page.getByRole("row")).toHaveCount(3);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Retry all" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No failed jobs" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Retrying 2 jobs." })).toBeFocused();
  await expect(page.getByRole("button", { name: "Retry all" })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Needs attention" })).toBeHidden();
  await expectAccessible(page);
});

test("failed jobs are retried one by one, and focus moves to the next", async ({ page, api, server }) => {
  await fail(api, server, 3);
  await enter(page, "/dashboard/jobs");
  const buttons = page.getByRole("button", { name: /^Retry:/ });
  await expect(buttons).toHaveCount(3);
  const outcome = page.getByRole("status").filter({ hasText: "Retrying: Ask the provider for the outcome." });
  await expect(outcome).toHaveCount(0);
  // The second of three, so that "next" and "first" differ.
  const last = await buttons.nth(2).elementHandle();
  await buttons.nth(1).focus();
  await page.keyboard.press("Enter");
  await expect(buttons).toHaveCount(2);
  await expect(outcome).toBeVisible();
  await expect(buttons.nth(1)).toBeFocused();
  expect(await last?.evaluate((button) => button === document.activeElement)).toBe(true);
  // No row follows the last one, so focus moves to the row above.
  await page.keyboard.press("Enter");
  await expect(buttons).toHaveCount(1);
  await expect(buttons).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No failed jobs" })).toBeVisible();
  await expect(outcome).toBeFocused();
});

test("a job that another admin has already retried is reported as not found", async ({ page, api, server }) => {
  await fail(api, server, 1);
  await enter(page, "/dashboard/jobs");
  removeDeadJobs(server);
  await page.getByRole("button", { name: /^Retry:/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "no longer among the failed ones" })).toBeFocused();
  await expectAccessible(page);
});

test("on a slow connection, a job's button stays busy until the list is reloaded", async ({ page, api, server }) => {
  await fail(api, server, 2);
  await enter(page, "/dashboard/jobs");
  const release = await delayNavigations(page);
  const reading = page.waitForRequest(isNavigation);
  const buttons = page.getByRole("button", { name: /^Retry:/ });
  await buttons.first().click();
  await reading;
  await expect(buttons.first()).toBeDisabled();
  const outcome = page.getByRole("status").filter({ hasText: "Retrying" });
  await expect(outcome).toHaveCount(0);
  release();
  await expect(buttons).toHaveCount(1);
  await expect(outcome).toBeVisible();
});
