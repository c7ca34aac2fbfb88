// Mail in the dashboard, with a real mail server: a request sent, found, looked at, failed and resent; the test mail.
import { type MailServer, refusal, startMailServer } from "../../test/mail-server";
import { subjectsTo } from "../../test/mailed-links";
import type { Api } from "../api";
import { newEmail, newMember } from "../contract/people";
import { test as base, expect } from "../fixtures";
import { firstAdmin, startServer } from "../server";
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
test.afterEach(({ mailServer }) => {
  mailServer.arrived = [];
  mailServer.onRecipient = () => undefined;
});

/** Creates a payment request of the first admin's account and returns its id. */
async function request(api: Api, token: string, given: Record<string, unknown>): Promise<string> {
  const accounts = await api<{ data: { account_id: string }[] }>("GET", "/v1/auth/accounts", { token });
  const fields = { type: "product", amount: 1250, currency: "EUR", account_id: accounts.body.data[0]?.account_id };
  const created = await api<{ payment_id: string }>("POST", "/v1/payments", { token, body: { ...fields, ...given } });
  expect(created.status).toBe(200);
  return created.body.payment_id;
}

test("a payment request is sent by keyboard, found by its recipient, looked at and resent", async ({
  page,
  api,
  adminToken,
  mailServer,
}) => {
  const email = newEmail();
  const customer = { name: "Grace Hopper", email };
  const payment_id = await request(api, adminToken, {
    description: "Ticket",
    customer,
  });
  await enter(page, `/dashboard/payment-requests/${payment_id}`);
  await page.getByRole("button", { name: "Send", exact: true }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Send “Ticket” by e-mail" });
  await expect(dialog.getByLabel("To", { exact: true })).toHaveValue(email);
  await expectAccessible(page);
  await dialog.getByLabel("To", { exact: true }).fill("nobody");
  await dialog.getByRole("button", { name: "Send e-mail" }).press("Enter");
  await expect(dialog.getByLabel("To", { exact: true })).toHaveAccessibleDescription(/Enter an e-mail address/);
  await dialog.getByLabel("To", { exact: true }).fill(email);
  await dialog.getByLabel(/^Message/).fill("See you on Friday");
  await dialog.getByRole("button", { name: "Send e-mail" }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: `The e-mail to ${email} is queued.` })).toBeVisible();
  await expect.poll(() => subjectsTo(mailServer, email).length).toBe(1);

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Mail" }).click();
  await page.getByRole("searchbox", { name: "Search recipients" }).fill(email.toUpperCase());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: /^Remove filter Search: “/ })).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("row").nth(1)).toContainText("Sent");
  await expectAccessible(page);
  await page.getByRole("link", { name: email, exact: true }).press("Enter");
  const mail = page.frameLocator("iframe");
  await expect(mail.getByRole("link", { name: "View and pay" })).toHaveAttribute("href", /^https:\/\/link\.invalid\//);
  await expect(mail.getByText("See you on Friday")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Plain text" }).press("Enter");
  await expect(page.getByText("> See you on Friday")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Resend" }).press("Enter");
  const question = page.getByRole("dialog", { name: `Send this e-mail to ${email} again?` });
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await question.getByRole("button", { name: "Resend" }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "is queued." })).toBeVisible();
  await expect.poll(() => subjectsTo(mailServer, email).length).toBe(2);
});

test("a mail that the server refuses for good needs attention, says why, and is sent again", async ({
  page,
  api,
  adminToken,
  mailServer,
}) => {
  const email = newEmail();
  mailServer.onRecipient = (address) => {
    // Security notices to the admin still arrive.
    if (address !== email) return;
    throw refusal(550, "5.1.1 No such user here");
  };
  await request(api, adminToken, { customer: { email }, send: true });
  await enter(page, "/dashboard/accounts");
  await expect(async () => {
    await page.reload();
    const attention = page.getByRole("region", { name: "Needs attention" });
    await expect(attention).toContainText("could not be delivered", { timeout: 500 });
  }).toPass();
  await page.getByRole("link", { name: "Show failed e-mails" }).click();
  await page.getByRole("link", { name: email, exact: true }).click();
  await expect(page.getByText("550 5.1.1 No such user here")).toBeVisible();
  await expectAccessible(page);
  mailServer.onRecipient = () => undefined;
  await page.getByRole("button", { name: "Resend" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resend" }).click();
  await expect.poll(() => subjectsTo(mailServer, email).length).toBe(1);
});

test("the test mail says what the server answered", async ({ page, mailServer }) => {
  await enter(page, "/dashboard/mails");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click();
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Mail" }).click();
  await expect(page.getByText(`127.0.0.1:${mailServer.port}`)).toBeVisible();
  await page.getByRole("button", { name: "Send test e-mail" }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "It answered: 250" })).toBeVisible();
  expect(subjectsTo(mailServer, firstAdmin.email)).toContain("Test e-mail from My organization");
  mailServer.onRecipient = () => {
    throw refusal(554, "5.7.1 Relaying denied");
  };
  await page.getByRole("button", { name: "Send test e-mail" }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "554 5.7.1 Relaying denied" })).toBeVisible();
  await expectAccessible(page);
});

test("an invitation is mailed again from the list", async ({ page, api, adminToken, mailServer }) => {
  const email = newEmail();
  await api("POST", "/v1/invitations", { token: adminToken, body: { email, role: "member", name: "Grace Hopper" } });
  const statusNow = async () => {
    const path = `/v1/mails?q=${encodeURIComponent(email)}`;
    return (await api<{ data: { status: string }[] }>("GET", path, { token: adminToken })).body.data[0]?.status;
  };
  await expect.poll(statusNow).toBe("sent");
  await enter(page, "/dashboard/users/invitations");
  await page.getByRole("button", { name: `Resend the invitation for ${email}` }).click();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Resend" }).click();
  await expect(page.getByText(`The invitation to ${email} is queued.`)).toBeVisible();
  await expect.poll(() => subjectsTo(mailServer, email)).toHaveLength(2);
  await expectAccessible(page);
});

test("an admin mails a user a link to choose a new password, by keyboard", async ({ page, api, mailServer }) => {
  const person = await newMember(api, { name: "Mary Jackson" });
  await enter(page, `/dashboard/users/${person.userId}`);
  const sent = subjectsTo(mailServer, person.email).length;
  await enterAt(page, page.getByRole("button", { name: "Send reset link" }));
  const dialog = page.getByRole("dialog", { name: /Mary Jackson/ });
  await expect(dialog).toContainText(person.email);
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await expectAccessible(page);
  await enterAt(page, dialog.getByRole("button", { name: "Send reset link" }));
  await expect(page.getByRole("status").filter({ hasText: person.email })).toBeVisible();
  await expect.poll(() => subjectsTo(mailServer, person.email).length).toBeGreaterThan(sent);
  await expectAccessible(page);
});
