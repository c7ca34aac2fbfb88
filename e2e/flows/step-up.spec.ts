// Step-up in place: after an old sign-in, moving large amounts asks for the password in the dialog, then continues.
import { newMember, requestPayment } from "../contract/people";
import { expect, test } from "../fixtures";
import { payByForm } from "../payer";
import { firstAdmin } from "../server";
import { makeStale, overpay } from "../trouble";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter } from "./signing-in";

// These tests show surpluses to every admin, and make the sign-in of every session old.
test.use({ apart: "step-up" });
test.beforeEach(({ page }) => watchForFaults(page));

const ask = `You signed in a while ago. To continue, enter the password for ${firstAdmin.email}.`;

test("a large refund asks for the password, by keyboard alone, first with a wrong one", async ({
  page,
  api,
  adminToken,
  server,
}) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
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
  const password = dialog.getByLabel("Password", { exact: true });
  await expect(password).toBeFocused();
  await expect(password).toHaveAccessibleDescription(ask);
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expectAccessible(page);

  await page.keyboard.press("Enter");
  await expect(password).toHaveAccessibleDescription(`Enter your password. ${ask}`);
  await expect(password).toBeFocused();
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");
  await expect(password).toHaveAccessibleDescription(`The password is wrong. ${ask}`);
  await expect(password).toHaveAttribute("aria-invalid", "true");
  await expect(password).toBeFocused();
  await expectAccessible(page);

  // The buttons come right after the password.
  for (const name of ["Show characters", "Cancel", "Refund €1,500.00"]) {
    await page.keyboard.press("Tab");
    await expect(dialog.getByRole("button", { name })).toBeFocused();
  }
  for (const _ of ["Cancel", "Show characters", "the password"]) await page.keyboard.press("Shift+Tab");
  // The wrong password is selected when focus returns, so that typing replaces it.
  await page.keyboard.type(firstAdmin.password);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("status").filter({ hasText: "€1,500.00 is on its way back" })).toBeFocused();
  await expect(page.getByRole("main")).toContainText("Refunded");
  const { body: payment } = await api("GET", `/v1/transactions/${made.body.transaction_id}`, { token: adminToken });
  expect(payment).toMatchObject({ status: "refunded" });
});

test("the refund of a large surplus asks for the password as well", async ({ page, api, server }) => {
  const person = await newMember(api);
  const { payment_id, payment_url } = await requestPayment(api, person, 250_000, { description: "Opening night" });
  await payByForm(payment_url);
  overpay(server, payment_id, 125_000);
  await enter(page, "/dashboard/accounts");
  makeStale(server);
  await page.getByRole("button", { name: "Refund €1,250.00" }).click();
  const dialog = page.getByRole("dialog", { name: "Refund the surplus of €1,250.00?" });
  await dialog.getByRole("button", { name: "Refund €1,250.00" }).click();
  await expect(dialog.getByLabel("Password", { exact: true })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type(firstAdmin.password);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("region", { name: "Needs attention" })).toBeHidden();
  const payment = await api("GET", `/v1/payments/${payment_id}`, { token: person.token });
  expect(payment.body).toMatchObject({ amount_refunded: 125_000, amount_overpaid: 0 });
});
