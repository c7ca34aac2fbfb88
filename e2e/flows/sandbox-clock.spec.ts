// Settings → Sandbox: an admin moves the clock by keyboard; every page then says what time it is, and pay pages follow.
import { memberPassword, newEmail } from "../contract/people";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter } from "./signing-in";

// Whatever other tests create would be in the past.
test.use({ apart: "sandbox-clock" });
test.beforeEach(({ page }) => watchForFaults(page));

const clock = "/dashboard/settings/sandbox";

test("an admin moves the clock by a day and to a day, and what became due happens", async ({
  page,
  api,
  adminToken,
}) => {
  const as = { token: adminToken };
  const before = await api<{ now: string }>("GET", "/v1/sandbox/clock", as);
  const expires_at = new Date(Date.parse(before.body.now) + 36 * 3_600_000).toISOString();
  const body = { type: "product", amount: 990, currency: "EUR", description: "Clock cake", expires_at };
  const asked = await api<{ payment_id: string; payment_url: string }>("POST", "/v1/payments", { ...as, body });
  await enter(page, "/dashboard/settings");
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Sandbox" }).click();
  await page.waitForURL(`**${clock}`);
  await expect(page).toHaveTitle(/^Sandbox · Settings/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
  // A clock that was not moved is shown here, and not on every page.
  await expect(page.getByText("Not moved: it shows the real time")).toBeVisible();
  await expect(page.getByText(/^Clock: /)).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "1 day" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Moved the clock." })).toBeVisible();
  await expect(page.getByText(/^Clock: .+ days? ahead\./)).toBeVisible();
  await page.getByLabel("To the start of a day").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Move to this day" }).click();
  await expect(page.getByText("Choose a day after the present one.").first()).toBeVisible();
  await expectAccessible(page);
  const day = new Date(Date.parse(before.body.now) + 4 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("To the start of a day").fill(day);
  await page.getByRole("button", { name: "Move to this day" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Moved the clock." })).toBeVisible();
  await page.goto(`/dashboard/payment-requests/${asked.body.payment_id}`);
  await expect(page.getByText(/^Clock: .+ days ahead\./)).toBeVisible();
  await expect(page.getByText("Expired", { exact: true }).first()).toBeVisible();
  await expectAccessible(page);
  await page.goto(asked.body.payment_url);
  await expect(page.getByText("Clock cake").first()).toBeVisible();
  await expect(page.getByLabel("Card number")).toHaveCount(0);
});

test("viewers see the clock, and move none", async ({ page, api, adminToken }) => {
  const email = newEmail();
  await api("POST", "/v1/users", { token: adminToken, body: { email, password: memberPassword, role: "viewer" } });
  await enter(page, clock, { email, password: memberPassword });
  await expect(page.getByText("Time of the organization")).toBeVisible();
  await expect(page.getByRole("button", { name: "1 day" })).toHaveCount(0);
  await expectAccessible(page);
});
