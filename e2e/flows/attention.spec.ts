// What needs an admin's attention: a surplus, which one click refunds exactly, and what one click marks as done.
import type { Api } from "../api";
import { newMember, requestPayment } from "../contract/people";
import { expect, test } from "../fixtures";
import { payByForm } from "../payer";
import type { TestServer } from "../server";
import { overpay, reportDispute } from "../trouble";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter, enterAt } from "./signing-in";

// The surpluses would show up for every admin of a shared server.
test.use({ apart: "attention" });
test.beforeEach(({ page }) => watchForFaults(page));

/** Creates a payment request that was paid €185.00, more than its amount; resolves with a function that reads it. */
async function overpaid(api: Api, server: TestServer, description: string, surplus: number) {
  const person = await newMember(api);
  const { payment_id, payment_url } = await requestPayment(api, person, 18_500, { description });
  await payByForm(payment_url);
  overpay(server, payment_id, surplus);
  return async () => (await api("GET", `/v1/payments/${payment_id}`, { token: person.token })).body;
}

test("surpluses are refunded one by one by keyboard, and focus moves to the next", async ({ page, api, server }) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const seats = await overpaid(api, server, "Two seats", 6_000);
  const box = await overpaid(api, server, "A box", 2_500);
  await enter(page, "/dashboard/accounts");
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention).toContainText("Two seats was overpaid by €60.00.");
  await expect(attention).toContainText("A box was overpaid by €25.00.");
  await expectAccessible(page);
  await page.goto("/dashboard/payment-requests?overpaid=true");
  await expect(page.locator("tr[data-row]")).toHaveCount(2);
  await page.goto("/dashboard/accounts");

  const refund = async (amount: string) => {
    await attention.getByRole("button", { name: `Refund ${amount}` }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: `Refund the surplus of ${amount}?` });
    await expect(dialog).toContainText("This refunds exactly that amount.");
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
  };
  const outcome = (amount: string) =>
    page.getByRole("status").filter({ hasText: `${amount} is on its way back to the customer.` });
  await refund("€60.00");
  await expect(outcome("€60.00")).toBeVisible();
  await expect(attention).not.toContainText("Two seats");
  await expect(attention.getByRole("button", { name: "Refund €25.00" })).toBeFocused();
  await expectAccessible(page);
  await refund("€25.00");
  await expect(attention).toBeHidden();
  await expect(outcome("€25.00")).toBeFocused();
  expect(await seats()).toMatchObject({ amount_paid: 18_500, amount_refunded: 6_000, amount_overpaid: 0 });
  expect(await box()).toMatchObject({ amount_paid: 18_500, amount_refunded: 2_500, amount_overpaid: 0 });

  await page.getByRole("link", { name: "Transactions" }).first().click();
  await page.waitForURL("**/dashboard/transactions");
  await expect(outcome("€25.00")).toHaveCount(0);
});

test("a customer's question for a new link is marked as done by keyboard", async ({ page, api }) => {
  const person = await newMember(api);
  const expires_at = new Date(Date.now() + 2_000).toISOString();
  const { payment_id, payment_url } = await requestPayment(api, person, 2_000, {
    description: "Late seat",
    expires_at,
  });
  const waiting = page.getByText("The customer asked for a new link.");
  await expect(async () => {
    await page.goto(payment_url);
    await expect(page.getByRole("heading", { name: "Request expired" })).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.getByRole("button", { name: "Ask for a new link" }).press("Enter");
  await expect(page.getByText(/^Your request is recorded/)).toBeVisible();
  await enter(page, `/dashboard/payment-requests/${payment_id}`);
  await expect(waiting).toBeVisible();
  await expectAccessible(page);
  await enterAt(page, page.getByRole("button", { name: "Mark as done" }));
  await expect(page.getByRole("status").filter({ hasText: "Marked as done." })).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await expectAccessible(page);
});

test("an unexpected dispute is marked as done by keyboard", async ({ page, api, server }) => {
  const person = await newMember(api);
  const { payment_id, payment_url } = await requestPayment(api, person, 4_000, { description: "Disputed twice" });
  await payByForm(payment_url);
  reportDispute(server, payment_id);
  await enter(page, "/dashboard/accounts");
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention).toContainText("that could not be recorded: €40.00, open.");
  await expectAccessible(page);
  await enterAt(page, attention.getByRole("button", { name: "Mark as done" }));
  await expect(page.getByRole("status").filter({ hasText: "Marked as done." })).toBeVisible();
  await expect(attention).toHaveCount(0);
  await expectAccessible(page);
});
