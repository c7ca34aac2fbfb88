// Step-up in place: after a while, what moves much money asks for the password in its dialog and then goes on.
import { newMember, request } from "../contract/people";
import { expect, test } from "../fixtures";
import { payByForm } from "../payer";
import { ADMIN } from "../server";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter, makeStale, withDatabase } from "./signing-in";

// They show every admin what needs attention, and make the sessions of all stale.
test.use({ apart: "step-up" });
test.beforeEach(({ page }) => watchForFaults(page));

const ask = "You signed in a while ago. Enter your password to go on.";

test("a large refund asks for the password, by keyboard alone, a wrong one first", async ({
  page,
  api,
  adminToken,
  server,
}) => {
  test.slow(true, "Every state is checked for accessibility at two widths in both schemes.");
  const body = { type: "payment", amount: 150_000, currency: "EUR" };
  const made = await api<{ transaction_id: string }>("POST", "/v1/transactions", { token: adminToken, body });
  const path = `/dashboard/transactions/${made.body.transaction_id}`;
  await enter(page, path);
  makeStale(server);
  await page.getByRole("button", { name: "Refund", exact: true }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Refund this payment" });
  await expect(dialog.getByLabel("Amount")).toBeFocused();
  await expect(dialog.getByLabel("Password", { exact: true })).toHaveCount(0);
  await page.keyboard.press("Enter");
  const alert = dialog.getByRole("alert");
  await expect(alert).toHaveText(ask);
  await expect(alert).toBeFocused();
  await expect(dialog.getByText(`For ${ADMIN.email}.`)).toBeVisible();
  await expectAccessible(page);

  const password = dialog.getByLabel("Password", { exact: true });
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press("Tab");
  await expect(password).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(alert).toHaveText(ask);
  await expect(alert).toBeFocused();
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press("Tab");
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");
  await expect(alert).toHaveText("The password is wrong.");
  await expect(alert).toBeFocused();
  await expectAccessible(page);
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press("Tab");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(ADMIN.password);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("status").filter({ hasText: "€1,500.00" })).toBeAttached();
  await expect(page.getByRole("main")).toContainText("Refunded");
  const { body: payment } = await api("GET", `/v1/transactions/${made.body.transaction_id}`, { token: adminToken });
  expect(payment).toMatchObject({ status: "refunded" });
});

test("the refund of a large surplus asks for the password as well", async ({ page, api, server }) => {
  const person = await newMember(api);
  const { payment_id, payment_url } = await request(api, person, 250_000, { description: "Opening night" });
  await payByForm(payment_url);
  // No provider that keeps its promises charges twice, so the amount is what is changed here.
  withDatabase(server.databaseUrl, (database) =>
    database
      .prepare("update payments set amount = 125000, amount_overpaid = 125000, version = version + 1 where id = ?")
      .run(payment_id),
  );
  await enter(page, "/dashboard/accounts");
  makeStale(server);
  await page.getByRole("button", { name: "Refund €1,250.00" }).click();
  const dialog = page.getByRole("dialog", { name: "Refund the surplus of €1,250.00?" });
  await dialog.getByRole("button", { name: "Refund €1,250.00" }).click();
  await expect(dialog.getByRole("alert")).toHaveText(ask);
  await expectAccessible(page);
  await page.keyboard.press("Tab");
  await expect(dialog.getByLabel("Password", { exact: true })).toBeFocused();
  await page.keyboard.type(ADMIN.password);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("region", { name: "Needs attention" })).toBeHidden();
  const payment = await api("GET", `/v1/payments/${payment_id}`, { token: person.token });
  expect(payment.body).toMatchObject({ amount_refunded: 125_000, amount_overpaid: 0 });
});
