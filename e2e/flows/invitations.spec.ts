// Invitations in a browser: sent by keyboard alone, accepted on their page, revoked; and signing up.
import { memberPassword, newEmail } from "../contract/people";
import { expect, test } from "../fixtures";
import { firstAdmin } from "../server";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter, enterAt, tabTo } from "./signing-in";

// The tests see each other's invitations.
test.use({ apart: "invitations" });
test.beforeEach(({ page }) => watchForFaults(page));

const list = "/dashboard/users/invitations";

test("an admin invites somebody by keyboard alone, who joins through the link", async ({ page, browser, baseURL }) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const email = newEmail();
  await enter(page, "/dashboard/users");
  await enterAt(page, page.getByRole("link", { name: "Invitations" }));
  await expect(page.getByRole("heading", { name: "No invitations yet" })).toBeVisible();
  await expectAccessible(page);
  await enterAt(page, page.getByRole("link", { name: "Invite" }));
  await page.waitForURL("**/dashboard/users/invite");
  await expectAccessible(page);

  await enterAt(page, page.getByRole("button", { name: "Invite" }));
  const problems = page.getByRole("main").getByRole("alert");
  await expect(problems).toBeFocused();
  await expect(problems).toContainText("Enter an e-mail address");
  // The link of the problem leads to its field.
  await enterAt(page, problems.getByRole("link"));
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await page.keyboard.type(email);
  await tabTo(page, page.getByLabel("Account", { exact: true }));
  await page.keyboard.type("Business");
  await tabTo(page, page.getByLabel("Name of the account"));
  await page.keyboard.type("Corner shop");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await expect(page.getByLabel("Role")).toBeFocused();
  await page.keyboard.type("Viewer");
  await expect(page.getByLabel("Account", { exact: true })).toHaveCount(0);
  await enterAt(page, page.getByRole("button", { name: "Invite" }));
  await expect(page.getByRole("heading", { name: `${email} is invited` })).toBeFocused();
  await expectAccessible(page);
  const url = (await page.locator("code").filter({ hasText: "/invitation/qtiv_" }).textContent()) ?? "";
  await page.getByRole("link", { name: "Done" }).click();
  const row = page.getByRole("row").filter({ hasText: email });
  await expect(row).toContainText("Open");
  await expectAccessible(page);

  const theirs = await browser.newPage({ baseURL });
  await theirs.goto(new URL(url).pathname);
  await expect(theirs.getByText("You are invited as a viewer")).toBeVisible();
  await expectAccessible(theirs);
  await theirs.getByLabel("Password").fill("Password123!");
  await theirs.getByLabel("Password").press("Enter");
  await expect(theirs.getByRole("alert")).toContainText("You have not joined yet.");
  await expectAccessible(theirs);
  await theirs.getByLabel("Password").fill(memberPassword);
  await theirs.getByLabel("Password").press("Enter");
  await expect(theirs.getByRole("heading", { name: "You have joined" })).toBeVisible();
  await expectAccessible(theirs);
  await enter(theirs, "/dashboard/transactions", { email, password: memberPassword });
  await theirs.close();
  await page.reload();
  await expect(row).toContainText("Accepted");
});

test("an invitation is revoked, and its page says that it is not valid", async ({ page, api, adminToken }) => {
  const body = { email: newEmail(), role: "member" };
  const made = await api<{ url: string }>("POST", "/v1/invitations", { token: adminToken, body });
  await enter(page, list);
  await page.getByRole("button", { name: `Revoke the invitation for ${body.email}` }).click();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText(`Revoked the invitation for ${body.email}.`)).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: body.email })).toContainText("Revoked");
  await page.goto(new URL(made.body.url).pathname);
  await expect(page.getByRole("heading", { name: "This invitation is not valid" })).toBeVisible();
});

test("an invitation asks a signed-in user to sign out first", async ({ page, api, adminToken }) => {
  const body = { email: newEmail(), role: "viewer" };
  const made = await api<{ url: string }>("POST", "/v1/invitations", { token: adminToken, body });
  await enter(page, list);
  await page.goto(new URL(made.body.url).pathname);
  await expect(page.getByRole("heading", { name: "You are already signed in" })).toBeVisible();
  await expect(page.getByText(`You are signed in as ${firstAdmin.email}.`)).toBeVisible();
  await expectAccessible(page);
  await enterAt(page, page.getByRole("button", { name: "Sign out and continue" }));
  await expect(page.getByText("You are invited as a viewer")).toBeVisible();
  const cookies = await page.context().cookies();
  expect(cookies.filter(({ name }) => name.endsWith("_session"))).toEqual([]);
  await page.getByLabel("Password").fill(memberPassword);
  await page.getByLabel("Password").press("Enter");
  await expect(page.getByRole("heading", { name: "You have joined" })).toBeVisible();
});

test("a visitor signs up where sign-up is open", async ({ page }) => {
  const email = newEmail();
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Sign up" }).click();
  await expectAccessible(page);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(memberPassword);
  await page.getByRole("button", { name: "Sign up" }).click();
  await expect(page.getByRole("heading", { name: "You can sign in now" })).toBeVisible();
  await enter(page, "/dashboard/transactions", { email, password: memberPassword });
});
