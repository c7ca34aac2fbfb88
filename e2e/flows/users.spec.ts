// Users in the dashboard: roles, sessions, removal, the reader's own profile, and what each role sees of it.
import type { Locator, Page } from "playwright/test";
import { memberPassword, newMember } from "../contract/people";
import { expect, test } from "../fixtures";
import { expectAccessible, narrow, watchForFaults } from "./page-checks";
import { enter, untilInteractive } from "./signing-in";

// These tests give the organization further users and assign accounts, which other tests would see.
test.use({ apart: "users" });

const listPath = "/dashboard/users";

test.beforeEach(({ page }) => watchForFaults(page));

/** Presses Tab until the element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(target).toBeFocused({ timeout: 50 });
  }).toPass({ intervals: [0] });
}

test("an admin finds a user, changes the role and ends sessions by keyboard alone", async ({ page, api }) => {
  test.slow(true, "Every state is checked for accessibility at two widths in both schemes.");
  const person = await newMember(api);
  await enter(page, listPath);
  await expectAccessible(page, narrow);
  await page.getByRole("searchbox").focus();
  await page.keyboard.type(person.email);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/users?q=*");
  await expect(page.getByRole("row").filter({ hasText: person.email })).toContainText("Member");
  await tabTo(page, page.getByRole("row").filter({ hasText: person.email }).getByRole("link"));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: person.email })).toBeVisible();
  await expectAccessible(page, narrow);

  await tabTo(page, page.getByRole("button", { name: "Change role" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /^Change the role of/ });
  await dialog.getByLabel("Role").focus();
  await page.keyboard.press("ArrowDown");
  await expect(dialog.getByLabel("Role")).toHaveValue("viewer");
  await expect(dialog).toContainText(
    "Sees the whole organization, except e-mails to users, and changes nothing in it.",
  );
  await expectAccessible(page, narrow);
  await dialog.getByRole("button", { name: "Change role" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText(`${person.email} is now: Viewer.`)).toBeVisible();
  const reply = await api("GET", "/v1/users", { token: person.token });
  expect(reply.status).toBe(200);

  await tabTo(page, page.getByRole("button", { name: "End all" }));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "End all" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Ended all sessions.")).toBeVisible();
  await expect(page.getByText("Not signed in anywhere.")).toBeVisible();
  expect((await api("GET", "/v1/users", { token: person.token })).status).toBe(401);
});

test("an admin removes a user and gives the account to somebody else", async ({ page, api, adminToken }) => {
  test.slow(true, "Every state is checked for accessibility at two widths in both schemes.");
  const [leaver, heir] = [await newMember(api), await newMember(api)];
  await enter(page, `${listPath}/${leaver.userId}`);
  await page.getByRole("button", { name: "Remove user" }).click();
  const dialog = page.getByRole("dialog", { name: `Remove ${leaver.email}?` });
  await expect(dialog).toContainText("1 session, at once");
  await expect(dialog).toContainText("Accounts without an owner");
  await expectAccessible(page, narrow);

  await dialog.getByLabel("New owner’s e-mail").fill("nobody@example.com");
  await dialog.getByLabel(/^Type/).fill(leaver.email);
  await dialog.getByRole("button", { name: "Remove user" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Nobody in this organization has this e-mail address.");
  await dialog.getByLabel("New owner’s e-mail").fill(heir.email);
  await dialog.getByRole("button", { name: "Remove user" }).click();
  await expect(page.getByText(`Removed ${leaver.email}.`)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Removed user" })).toBeVisible();
  await expectAccessible(page, narrow);
  const { body } = await api<{ owner_user_id: string }>("GET", `/v1/accounts/${leaver.accountId}`, {
    token: adminToken,
  });
  expect(body.owner_user_id).toBe(heir.userId);
});

test("a viewer reads everything and is offered nothing that changes it", async ({ page, api, adminToken }) => {
  const person = await newMember(api);
  const role = { token: adminToken, body: { role: "viewer" } };
  expect((await api("PATCH", `/v1/users/${person.userId}`, role)).status).toBe(200);
  await enter(page, listPath, { email: person.email, password: memberPassword });
  await expect(page.getByRole("row").filter({ hasText: person.email })).toContainText("Viewer");
  await page.goto(`${listPath}/${person.userId}`);
  await expect(page.getByRole("button", { name: "Change role" })).toHaveCount(0);
  for (const path of ["payment-requests", "transactions", "accounts"]) {
    await page.goto(`/dashboard/${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("link", { name: /^(New|Create|Record)/ })).toHaveCount(0);
    await page.goto(`/dashboard/${path}/new`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your role does not include this page");
  }
});

test("members and operators find no users, in the menu or by address", async ({ page, api, adminToken }) => {
  const person = await newMember(api);
  await enter(page, "/dashboard/accounts", { email: person.email, password: memberPassword });
  await expect(page.getByRole("link", { name: "Users" })).toHaveCount(0);
  const role = { token: adminToken, body: { role: "operator" } };
  expect((await api("PATCH", `/v1/users/${person.userId}`, role)).status).toBe(200);
  await page.goto(listPath);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your role does not include this page");
  await expect(page.getByRole("link", { name: "Users" })).toHaveCount(0);
  // The account of another user, whose owner an operator may not look up.
  const other = await newMember(api);
  await page.goto(`/dashboard/accounts/${other.accountId}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("users change their profile, which sets the formats, and end their other sessions", async ({ page, api }) => {
  test.slow(true, "Every state is checked for accessibility at two widths in both schemes.");
  const person = await newMember(api);
  await enter(page, "/dashboard/accounts", { email: person.email, password: memberPassword });
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menuitem", { name: "Profile" }).click();
  await page.waitForURL("**/dashboard/profile");
  await untilInteractive(page);
  await expectAccessible(page, narrow);
  await page.getByLabel("Name", { exact: true }).fill("Zoë Quartz");
  await page.getByLabel("Language and formats").selectOption("de-AT");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved your profile.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Zoë Quartz, user menu" })).toBeVisible();
  // Dates as in Austria: 22.11.2026.
  await expect(page.getByRole("table", { name: "Sessions" }).getByRole("time").first()).toHaveText(
    /\d{2}\.\d{2}\.\d{4}/,
  );
  await expectAccessible(page, narrow);

  await page.getByRole("button", { name: "End all others" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End all others" }).click();
  await expect(page.getByText("Ended all other sessions.")).toBeVisible();
  expect((await api("GET", "/v1/payments", { token: person.token })).status).toBe(401);
  await page.getByRole("button", { name: /^End the session/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End", exact: true }).click();
  await page.waitForURL("**/sign-in");
});
