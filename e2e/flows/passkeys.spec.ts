// Passkeys in a browser, with Chromium's virtual authenticator: added, used to sign in and for step-up, removed.
import type { Page } from "playwright/test";
import { memberPassword, newMember } from "../contract/people";
import { expect, test } from "../fixtures";
import { makeStale } from "../trouble";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter, untilInteractive } from "./signing-in";

// These tests make the sign-in of every session old.
test.use({ apart: "passkeys", hostname: "localhost" });
test.beforeEach(({ page }) => watchForFaults(page));

/** Gives the browser an authenticator that verifies its user at once. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", { options });
  return {
    removeKeys: () => session.send("WebAuthn.clearCredentials", { authenticatorId }),
  };
}

test("a passkey is added, signs in without a password, satisfies step-up, and is removed", async ({
  page,
  api,
  server,
}) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const { email } = await newMember(api);
  const authenticator = await addAuthenticator(page);
  await enter(page, "/dashboard/profile", { email, password: memberPassword });
  await page.getByRole("link", { name: "Add a passkey" }).click();
  await page.waitForURL("**/dashboard/profile/passkey");
  await page.getByLabel("Name").fill("Laptop");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Your passkey was added" })).toBeFocused();
  await expect(
    page
      .getByRole("main")
      .getByRole("listitem")
      .filter({ hasText: /^.{4}-/ }),
  ).toHaveCount(10);
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByRole("heading", { name: "Passkey “Laptop”" })).toBeVisible();
  await expectAccessible(page);

  // The password alone is no longer enough; on the API not at all.
  const login = await api("POST", "/v1/auth/login", { body: { email, password: memberPassword } });
  expect(login.body).toMatchObject({ error_code: "mfa_required" });
  await page.context().clearCookies();
  await page.goto("/sign-in?next=%2Fdashboard%2Fprofile");
  await untilInteractive(page);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(memberPassword);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Two-factor authentication" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL("**/dashboard/profile");
  await untilInteractive(page);
  await expect(page.getByText("Last used on")).toBeVisible();

  await page.getByRole("button", { name: "Rename the passkey “Laptop”" }).click();
  const rename = page.getByRole("dialog", { name: "Rename the passkey “Laptop”" });
  await rename.getByLabel("Name").fill("Phone");
  await expectAccessible(page);
  await rename.getByRole("button", { name: "Rename", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Passkey “Phone”" })).toBeVisible();

  makeStale(server);
  await page.getByRole("button", { name: "Remove the passkey “Phone”" }).click();
  const remove = page.getByRole("dialog", { name: "Remove the passkey “Phone”?" });
  await remove.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(remove.getByRole("button", { name: "Use a passkey instead" })).toBeVisible();
  await expectAccessible(page);
  await remove.getByRole("button", { name: "Use a passkey instead" }).click();
  await expect(remove).toBeHidden();
  await expect(page.getByText("Removed the passkey.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Passkey “Phone”" })).toBeHidden();

  // A passkey that the authenticator still has, but the server does not know.
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await untilInteractive(page);
  const button = page.getByRole("button", { name: "Use a passkey" });
  await button.click();
  await expect(page.getByRole("alert").filter({ hasText: "This passkey was not accepted." })).toBeVisible();
  await authenticator.removeKeys();
  await expectAccessible(page);
});
