// What arrives by e-mail, in a browser with a real mail server: a forgotten password, an address confirmed and changed.
import { type MailServer, startMailServer } from "../../test/mail-server";
import { linksTo } from "../../test/mailed-links";
import { memberPassword, newEmail, newMember } from "../contract/people";
import { test as base, expect } from "../fixtures";
import { startServer } from "../server";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter, enterAt } from "./signing-in";

/** A server of its own that sends mails. */
const test = base.extend<object, { mailServer: MailServer }>({
  mailServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that it needs.
    async ({}, use) => {
      const mailServer = await startMailServer();
      await use(mailServer);
      await mailServer.close();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ engine, mailServer }, use) => {
      const env = { SMTP_URL: mailServer.url, MAIL_FROM: "Quittance <mail@example.com>" };
      const server = await startServer({ engine, env });
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
});

test.beforeEach(({ page }) => watchForFaults(page));

/** The path of the newest link of a kind in the mails to the address, once there are `count`. */
async function pathTo(
  mailServer: MailServer,
  address: string,
  kind: "email" | "reset-password",
  count = 1,
): Promise<string> {
  const links = () => linksTo(mailServer, address).filter((url) => url?.includes(`/${kind}/`));
  await expect.poll(() => links().length, { timeout: 15_000 }).toBeGreaterThanOrEqual(count);
  return new URL(links().at(-1) ?? "").pathname;
}

test("a forgotten password is reset without a script, from the sign-in page", async ({
  browser,
  api,
  mailServer,
  baseURL,
}) => {
  const { email } = await newMember(api);
  const plain = await browser.newContext({ baseURL, javaScriptEnabled: false });
  const page = await plain.newPage();
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible();
  await page.goto(await pathTo(mailServer, email, "reset-password"));
  await page.getByLabel("New password").fill("an entirely new passphrase");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("heading", { name: "Your password has been changed" })).toBeVisible();
  await plain.close();
});

test("the pages behind links are accessible in both languages", async ({ page, api, mailServer }) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const { email } = await newMember(api);
  await page.goto("/forgot-password");
  await expectAccessible(page);
  await page.goto("/forgot-password?lang=de");
  await page.getByLabel("E-Mail").fill("ada");
  await page.locator("form").evaluate((form: HTMLFormElement) => form.submit());
  await expect(page.getByRole("alert")).toBeVisible();
  await expectAccessible(page);
  await page.goto("/forgot-password?sent=1");
  await expectAccessible(page);
  const path = await pathTo(mailServer, email, "email");
  await page.goto(path);
  await expect(page.getByRole("heading", { name: "Confirm your e-mail address" })).toBeVisible();
  await expectAccessible(page);
  await page.goto("/email/none");
  await expect(page.getByRole("heading", { name: "This link is no longer valid" })).toBeVisible();
  await expectAccessible(page);
});

test("a change of the address that is pending is canceled by keyboard alone", async ({ page, api }) => {
  const { email } = await newMember(api);
  await enter(page, "/dashboard/email", { email, password: memberPassword });
  await page.getByLabel("New e-mail address").fill(newEmail());
  await page.keyboard.press("Enter");
  await enterAt(page, page.getByRole("link", { name: "Back to your profile" }));
  await enterAt(page, page.getByRole("button", { name: "Keep current address" }));
  await enterAt(page, page.getByRole("dialog").getByRole("button", { name: "Keep current address" }));
  await expect(page.getByRole("status").filter({ hasText: `Your address is still ${email}.` })).toBeFocused();
  await expect(page.getByRole("region", { name: "Waiting for your confirmation" })).toHaveCount(0);
});

test("an address is confirmed, changed by keyboard, and changed back from the old one", async ({
  page,
  api,
  mailServer,
}) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const { email } = await newMember(api);
  await enter(page, "/dashboard/profile", { email, password: memberPassword });
  const banner = page.getByRole("region", { name: "Confirm your e-mail address" });
  await expect(banner).toContainText(email);
  await expectAccessible(page);
  const first = await pathTo(mailServer, email, "email");
  await banner.getByRole("button", { name: "Send the link again" }).click();
  await expect(page.getByRole("status").filter({ hasText: "A link is on its way" })).toBeVisible();
  const second = await pathTo(mailServer, email, "email", 2);
  expect(second).not.toBe(first);
  await page.goto(second);
  await page.getByRole("button", { name: "Confirm address" }).click();
  await expect(page.getByRole("heading", { name: "Your e-mail address is confirmed" })).toBeVisible();

  await page.goto("/dashboard/profile");
  await expect(banner).toHaveCount(0);
  await page.getByRole("link", { name: "Change e-mail address" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/email");
  await page.getByLabel("New e-mail address").fill("ada");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "Enter an e-mail address." })).toBeFocused();
  await expectAccessible(page);
  const next = newEmail();
  await page.getByLabel("New e-mail address").fill(next);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeFocused();
  await expectAccessible(page);

  await enterAt(page, page.getByRole("link", { name: "Back to your profile" }));
  const pending = page.getByRole("region", { name: "Waiting for your confirmation" });
  await expect(pending).toContainText(`We sent a link to ${next}.`);
  await expectAccessible(page);
  await enterAt(page, pending.getByRole("button", { name: "Send again" }));
  await enterAt(page, page.getByRole("dialog").getByRole("button", { name: "Send again" }));
  await expect(page.getByRole("status").filter({ hasText: `A link is on its way to ${next}.` })).toBeVisible();
  await page.goto(await pathTo(mailServer, next, "email", 2));
  await page.getByRole("button", { name: "Use this address" }).click();
  await expect(page.getByRole("heading", { name: "Your e-mail address has been changed" })).toBeVisible();
  await page.goto("/dashboard/profile");
  await expect(page.getByText(next).first()).toBeVisible();
  await expect(pending).toHaveCount(0);

  await page.goto(await pathTo(mailServer, email, "email", 3));
  await page.getByRole("button", { name: "Undo the change" }).click();
  await expect(page.getByRole("link", { name: "Choose a new password" })).toBeVisible();
  await page.goto("/dashboard/profile");
  await page.waitForURL("**/sign-in?next=**");
});
