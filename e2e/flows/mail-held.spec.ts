// Mail in the dashboard without a mail server: it is kept, and the pages say what to do.
import { memberPassword, newEmail, newMember, requestPayment, runProgram } from "../contract/people";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter } from "./signing-in";

test.beforeEach(({ page }) => watchForFaults(page));

test("a member's mail is held, and the page says that no mail server is set up", async ({ page, api, server }) => {
  const member = await newMember(api);
  await runProgram(server, "server/cli.ts", ["user", "verify", member.email]);
  const email = newEmail();
  const { payment_id } = await requestPayment(api, member, 1250, { description: "Ticket", customer: { email } });
  await enter(page, "/dashboard/mails", { email: member.email, password: memberPassword });
  await expect(page.getByRole("heading", { name: "No mail yet" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "No mail server is set up" })).toBeVisible();
  await expect(page.getByText("After that, held e-mails can be resent one by one.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Mail settings" })).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(`/dashboard/payment-requests/${payment_id}`);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("To", { exact: true })).not.toBeEditable();
  await dialog.getByRole("button", { name: "Send e-mail" }).click();
  await expect(page.getByRole("status").filter({ hasText: `The e-mail to ${email} is held` })).toBeVisible();
  await page.getByRole("link", { name: `Payment request to ${email}` }).click();
  await page.waitForURL("**/dashboard/mails/*");
  await expect(page.getByText("Held").first()).toBeVisible();
  await expect(page.getByText("After that, this e-mail can be resent.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Resend" })).toHaveCount(0);
  await expectAccessible(page);
});

test("the settings name the variables to set", async ({ page }) => {
  await enter(page, "/dashboard/settings/mail");
  await expect(page.getByText("SMTP_URL=smtp://")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test e-mail" })).toHaveCount(0);
  await expectAccessible(page);
});
