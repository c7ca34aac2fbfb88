// A second factor that the organization requires: an admin requires it, users are led to set it up, and lost ones are
// removed by an admin.
import type { Page } from "playwright/test";
import { memberPassword, newEmail, newOrganization, succeeded, type UserBody } from "../contract/people";
import { dashboardOf, pageHeaders, setUpApp, shownCode } from "../factors";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter, untilInteractive } from "./signing-in";

const settings = "/dashboard/settings/security";
const password = memberPassword;

test.beforeEach(({ page }) => watchForFaults(page));

/** Sets up an authenticator app for the user of the page's session. */
const setUpAppOf = (page: Page) =>
  setUpApp(async (procedure, input) => {
    const reply = await page.request.post(`/api/trpc/${procedure}`, { data: input, headers: pageHeaders });
    return (await reply.json()).result.data;
  });

test("an admin requires a second factor, and a user sets one up before anything else", async ({
  page,
  api,
  server,
}) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const admin = await newOrganization(server, api);
  const user = { email: newEmail(), password, role: "viewer" };
  succeeded(await api("POST", "/v1/users", { token: admin.token, body: user }));

  await enter(page, settings, { email: admin.email, password });
  await expect(page.getByText("Set up a second factor of your own first.")).toBeVisible();
  await expect(page.getByRole("radio", { name: "All users" })).toBeDisabled();
  await expect(page.getByText("1 admin has none:")).toBeVisible();
  await expect(page.getByText("Across all roles, 2 users have none.")).toBeVisible();
  await expectAccessible(page);
  await setUpAppOf(page);
  await page.reload();
  await untilInteractive(page);
  await page.getByRole("radio", { name: "Nobody" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "All users" })).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Saved the settings." })).toBeVisible();
  await expect(page.getByText("Across all roles, 1 user has none.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Show users without a second factor" }).click();
  await expect(page.getByRole("row").filter({ hasText: user.email })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: admin.email })).toHaveCount(0);

  await page.context().clearCookies();
  await page.goto("/sign-in?next=%2Fdashboard%2Ftransactions");
  await untilInteractive(page);
  await page.getByLabel("E-mail").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/second-factor?next=%2Fdashboard%2Ftransactions");
  await expect(page.getByRole("heading", { level: 1, name: "Set up a second factor" })).toBeVisible();
  await untilInteractive(page);
  await expectAccessible(page);
  for (const path of ["/dashboard/payment-requests", "/dashboard/profile", "/dashboard/users"]) {
    await page.goto(path);
    await page.waitForURL(`**/second-factor?next=${encodeURIComponent(path)}`);
  }
  await page.goto("/dashboard/transactions");
  await untilInteractive(page);
  await page.getByRole("link", { name: /^Authenticator app/ }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/second-factor/authenticator?next=*");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("link", { name: /^Authenticator app/ }).click();
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  await expectAccessible(page);
  const key = ((await page.locator("code").textContent()) ?? "").replaceAll(" ", "");
  await page.getByLabel("Code", { exact: true }).fill(shownCode(key));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Two-factor authentication is on" })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Continue" }).click();
  await page.waitForURL("**/dashboard/transactions");
  await expect(page.getByRole("heading", { level: 1, name: "Transactions" })).toBeVisible();

  await page.goto("/dashboard/profile");
  await untilInteractive(page);
  await page.getByRole("button", { name: "Remove the authenticator app" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove the authenticator app?" });
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("Replace this one or add another first.");
});

test("an admin removes the second factors of a user who has lost them", async ({ page, api, server }) => {
  const admin = await newOrganization(server, api);
  const body = { email: newEmail(), password, role: "viewer", name: "Ada Lovelace" };
  const user = succeeded(await api<UserBody>("POST", "/v1/users", { token: admin.token, body }));
  const dashboard = await dashboardOf(server.url, body.email, password);
  await setUpApp(dashboard);

  await enter(page, `/dashboard/users/${user.user_id}`, { email: admin.email, password });
  await setUpAppOf(page);
  await page.request.post("/api/trpc/organizations.update", {
    ...{ data: { require_mfa: "everyone" }, headers: pageHeaders },
  });
  await page.getByRole("button", { name: "Remove second factors" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Remove the second factors of Ada Lovelace?" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Remove second factors" }).click();
  await expect(page.getByText("Removed the second factors of Ada Lovelace.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Remove second factors" })).toHaveCount(0);

  // The user's session has ended, and the next one needs a new factor.
  await expect(dashboard("sessions.endAll", { user_id: user.user_id, keeps_current: true })).rejects.toThrow(
    "unauthorized",
  );
  await page.context().clearCookies();
  await enter(page, "/dashboard", { email: body.email, password });
  await page.waitForURL("**/second-factor?next=*");
  await untilInteractive(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in?ended=*");
});
