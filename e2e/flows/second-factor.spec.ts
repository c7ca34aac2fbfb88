// Second factors in a browser: an authenticator app is set up, asked for at sign-in and at step-up, and removed.
import { memberPassword, newMember, resetLink } from "../contract/people";
import { shownCode } from "../factors";
import { expect, test } from "../fixtures";
import { leaveCodes, makeStale } from "../trouble";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter, untilInteractive } from "./signing-in";

// These tests make the sign-in of every session old.
test.use({ apart: "second-factor" });
test.beforeEach(({ page }) => watchForFaults(page));

test("an authenticator app is set up and asked for, with recovery codes for when it is lost", async ({
  page,
  api,
  server,
}) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const { email } = await newMember(api);
  await enter(page, "/dashboard/profile", { email, password: memberPassword });
  await page.getByRole("link", { name: "Set up an authenticator app" }).click();
  await page.waitForURL("**/dashboard/profile/authenticator");
  makeStale(server);
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByLabel("Password", { exact: true }).fill(memberPassword);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  const key = ((await page.locator("code").textContent()) ?? "").replaceAll(" ", "");
  const code = page.getByLabel("Code", { exact: true });
  await expect(code).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "This code is wrong, or it has been used." })).toBeFocused();
  await code.fill(shownCode(key));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Two-factor authentication is on" })).toBeFocused();
  const codes = await page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ hasText: /^.{4}-/ })
    .allTextContents();
  expect(codes).toHaveLength(10);
  await expectAccessible(page);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("quittance-recovery-codes.txt");
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByText("10 left")).toBeVisible();
  await expectAccessible(page);

  await page.context().clearCookies();
  await page.goto("/sign-in?next=%2Fdashboard%2Fprofile");
  await untilInteractive(page);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(memberPassword);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Two-factor authentication" })).toBeVisible();
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("autocomplete", "one-time-code");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "Enter the code." })).toBeFocused();
  // The step that confirmed the app is used up; the next one is within the allowed drift.
  await code.fill(shownCode(key, 1));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/profile");
  await untilInteractive(page);

  makeStale(server);
  await page.getByRole("link", { name: "Create new recovery codes" }).click();
  await page.getByRole("button", { name: "Create new codes" }).click();
  await page.getByLabel("Password", { exact: true }).fill(memberPassword);
  await page.keyboard.press("Enter");
  await expect(code).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type(codes[0] ?? "");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Your recovery codes were replaced" })).toBeFocused();
  const [fresh = "", last = ""] = await page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ hasText: /^.{4}-/ })
    .allTextContents();

  await page.goto(await resetLink(server, email));
  await page.getByLabel("New password").fill("an entirely new passphrase");
  await page.getByLabel("One-time code").fill("000000");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByLabel("One-time code")).toHaveAccessibleDescription(/This code is wrong/);
  await expectAccessible(page);
  await page.getByLabel("New password").fill("an entirely new passphrase");
  await page.getByLabel("One-time code").fill(fresh.toLowerCase());
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByRole("link", { name: "Go to sign-in" }).click();

  await untilInteractive(page);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("an entirely new passphrase");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await expect(page.getByText("An admin of your organization can remove your second factors.")).toBeVisible();
  await page.getByLabel("Recovery code").fill(last);
  await page.keyboard.press("Enter");
  await page.waitForURL(/:\d+\/dashboard/);
  await page.goto("/dashboard/profile");
  await untilInteractive(page);
  const warning = page.getByText("Create new ones before you run out.");
  await expect(page.getByText("8 left")).toBeVisible();
  await expect(warning).toBeHidden();
  await leaveCodes(server, email, 2);
  await page.reload();
  await untilInteractive(page);
  await expect(page.getByText("2 left")).toBeVisible();
  await expect(warning).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Replace the authenticator app" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Replace the authenticator app" })).toBeVisible();
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  const another = ((await page.locator("code").textContent()) ?? "").replaceAll(" ", "");
  await code.fill(shownCode(another));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Your authenticator app was replaced" })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Done" }).click();
  await page.getByRole("button", { name: "Remove the authenticator app" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove the authenticator app?" });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByRole("link", { name: "Set up an authenticator app" })).toBeVisible();
});
