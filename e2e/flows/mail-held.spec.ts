// Mail in the dashboard without a mail server: it is kept, and the pages say what to do. Reminders are planned and sent.
import { memberPassword, newEmail, newMember, requestPayment, runProgram } from "../contract/people";
import { expect, test } from "../fixtures";
import { openMore } from "./more-menu";
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
  await expect(dialog.getByText("this e-mail will be held, not sent")).toBeVisible();
  await dialog.getByRole("button", { name: "Send e-mail" }).click();
  const outcome = page.getByRole("status").filter({ hasText: `The e-mail to ${email} is held` });
  await expect(outcome).toHaveAttribute("data-tone", "warning");
  await page.getByRole("link", { name: `Payment request to ${email}` }).click();
  await page.waitForURL("**/dashboard/mails/*");
  await expect(page.getByText("Held").first()).toBeVisible();
  await expect(page.getByText("After that, this e-mail can be resent.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Resend" })).toHaveCount(0);
  await expectAccessible(page);
});

test("reminders are planned with a request, and one is sent at once", async ({ page, api, server }) => {
  const member = await newMember(api);
  await runProgram(server, "server/cli.ts", ["user", "verify", member.email]);
  const email = newEmail();
  await enter(page, "/dashboard/payment-requests/new", { email: member.email, password: memberPassword });
  await page.getByLabel("Description").fill("Ticket");
  await page.getByLabel("Amount").fill("45");
  await page.getByRole("button", { name: "More options" }).click();
  await page.getByLabel("Reminders").fill("soon");
  await page.getByRole("button", { name: "Create payment request" }).click();
  await expect(page.getByLabel("Reminders")).toHaveAccessibleDescription(/Enter up to 10 days/);
  await page.getByLabel("Reminders").fill("-1, -3");
  await page.getByRole("button", { name: "Create payment request" }).click();
  await expect(page.getByLabel("Reminders")).toHaveAccessibleDescription(/customer’s e-mail address too/);
  await expectAccessible(page);
  await page.getByLabel("Customer e-mail").fill(email);
  await page.getByRole("button", { name: "Create payment request" }).click();
  await expect(page.getByRole("heading", { name: "Planned reminders" })).toBeVisible();
  await expect(page.getByText("3 days before the expiry")).toBeVisible();
  await expect(page.getByText("1 day before the expiry")).toBeVisible();
  await openMore(page);
  await page.getByRole("button", { name: "Send a reminder" }).click();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Send reminder" }).click();
  await expect(page.getByRole("status").filter({ hasText: `The reminder to ${email} is held` })).toBeVisible();
  await page.getByRole("link", { name: `Payment reminder to ${email}` }).click();
  await page.waitForURL("**/dashboard/mails/*");
  await expect(page.getByRole("heading", { name: /Reminder: / }).first()).toBeVisible();
});

test("the settings name the variables to set", async ({ page }) => {
  await enter(page, "/dashboard/settings/mail");
  await expect(page.getByText("SMTP_URL=smtp://")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test e-mail" })).toHaveCount(0);
  await expectAccessible(page);
});
