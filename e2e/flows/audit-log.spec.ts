// The audit log in the dashboard: entries with values before and after, filters, the export, and who may see it.
import { readFileSync } from "node:fs";
import { newMember } from "../contract/people";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter } from "./signing-in";

test.use({ acceptDownloads: true });
test.beforeEach(({ page }) => watchForFaults(page));

const log = "/dashboard/audit-log";

test("an admin finds a change with its values, by keyboard alone, and exports it", async ({ page, api }) => {
  const member = await newMember(api, { account: { account_type: "business", account_name: "Corner shop" } });
  const body = { account_id: member.accountId, account_name: "Corner café" };
  await api("PATCH", "/v1/accounts", { token: member.token, body });
  await enter(page, log);
  await expect(page.getByRole("table", { name: "Audit log" })).toBeVisible();
  await expect(page.getByText(/^(The latest seal is number|No entry is sealed yet)/)).toBeVisible();
  await expect(page.getByText(/^(The last|No) verification/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("searchbox").focus();
  await page.keyboard.type(member.accountId);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${log}?q=*`);
  const row = page.getByRole("row").filter({ hasText: "Change an account" });
  await expect(row.getByRole("term")).toHaveText(["Fields", "Name"]);
  await expect(row.getByRole("deletion")).toHaveText("Corner shop");
  await expect(row.getByRole("insertion")).toHaveText("Corner café");
  await expect(row).toContainText("127.0.0.1");
  const shop = row.getByRole("link", { name: "Corner café" });
  await expect(shop).toHaveAttribute("href", `/dashboard/accounts/${member.accountId}`);
  await expectAccessible(page);

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export" }).focus();
  await page.keyboard.press("Enter");
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/);
  const lines = readFileSync(await file.path(), "utf8")
    .replace(/^\u{FEFF}/u, "")
    .trimEnd()
    .split("\r\n");
  expect(lines[0]).toMatch(/^audit_entry_id,created_at,/);
  expect(lines.slice(1).every((line) => line.includes(member.accountId))).toBe(true);

  await row.getByRole("link", { name: member.email }).click();
  await page.waitForURL(`**${log}?actor_id=${member.userId}`);
  await expect(page.getByRole("row").filter({ hasText: "Change an account" })).toBeVisible();
});

test("members have no audit log", async ({ page, api }) => {
  const { email } = await newMember(api);
  await enter(page, "/dashboard/accounts", { email, password: "a long enough passphrase" });
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Audit log" })).toHaveCount(0);
  expect((await page.goto(log))?.status()).toBe(403);
});
