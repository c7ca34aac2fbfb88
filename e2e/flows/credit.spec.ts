// Credit of customers in the dashboard: a surplus that is kept, what it pays, and what refunds do with it.
import type { Page } from "playwright/test";
import type { Api } from "../api";
import { expect, test } from "../fixtures";
import { moreButton } from "./more-menu";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, newMember, type Person, pathOf, paymentOf, sent } from "./requests";
import { enter, enterAt, tabTo } from "./signing-in";

const customerPath = (id: string) => `/dashboard/customers/${id}`;

const newCustomer = async (api: Api, { token }: Person, name: string) =>
  (await sent<{ customer_id: string }>(api, token, "/v1/customers", { name })).customer_id;

/** Makes credit of a surplus, and returns the payment that it was made of. */
async function makeCredit(api: Api, person: Person, customer_id: string, amount: number, currency = "EUR") {
  const { payment_id } = await ask(api, person, { amount: 100, currency, customer: { customer_id } });
  const twice = { method: "cash", reason: "Paid too much", amount: 100 + amount, overpayment: "credit" };
  await sent(api, person.token, `/v1/payments/${payment_id}/mark_paid`, twice);
  return (await paymentOf(api, person, payment_id)).transaction_ids[0] ?? "";
}

/** The part of a customer's page that shows the credit. */
const creditCard = (page: Page) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: "Credit", exact: true }) });

test.beforeEach(({ page }) => watchForFaults(page));

test("a surplus becomes credit and pays another request, by keyboard alone", async ({ page, api, adminToken }) => {
  test.slow(true, "Four pages are checked for accessibility at three widths in both schemes.");
  const member = await newMember(api, adminToken);
  const customer_id = await newCustomer(api, member, "Grace Hopper");
  const customer = { customer_id };
  const { payment_id: first } = await ask(api, member, { description: "Walnut torte", amount: 4000, customer });
  const { payment_id: next } = await ask(api, member, { description: "Croissants", amount: 2500, customer });
  await enter(page, pathOf(first), member);
  await enterAt(page, page.getByRole("button", { name: "Mark as paid" }));
  const marking = page.getByRole("dialog", { name: "Mark “Walnut torte” as paid" });
  await expect(marking.getByLabel("Amount received")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("50");
  await tabTo(page, marking.getByLabel("Note"));
  await page.keyboard.type("Paid twice");
  await page.keyboard.press("Enter");
  await expect(marking.getByRole("alert")).toContainText("Keep the surplus as credit, or enter at most €40.00");
  await tabTo(page, marking.getByRole("checkbox", { name: "Keep the surplus of €10.00 as credit of the customer" }));
  await page.keyboard.press("Space");
  await expect(marking.getByText("€10.00 becomes credit of the customer.")).toBeVisible();
  await expectAccessible(page);
  await enterAt(page, marking.getByRole("button", { name: "Mark as paid" }));
  await expect(page.getByRole("status").filter({ hasText: "Recorded €50.00." })).toBeVisible();
  expect(await paymentOf(api, member, first)).toMatchObject({ status: "paid", amount_overpaid: 0 });

  await page.goto(customerPath(customer_id));
  const credit = creditCard(page);
  await expect(credit.getByText("€10.00 of €10.00 left")).toBeVisible();
  await expectAccessible(page);

  await page.goto(pathOf(next));
  await enterAt(page, page.getByRole("button", { name: "Apply credit" }));
  const applying = page.getByRole("dialog", { name: "Apply credit to “Croissants”" });
  await expect(applying).toContainText(
    "€10.00 of the customer’s credit pays a part of the request, and €15.00 stays due.",
  );
  await expectAccessible(page);
  await enterAt(page, applying.getByRole("button", { name: "Apply €10.00" }));
  await expect(page.getByRole("status").filter({ hasText: "Applied €10.00 of credit." })).toBeVisible();
  expect(await paymentOf(api, member, next)).toMatchObject({ status: "partially_paid", amount_due: 1500 });
  await expect(page.getByRole("button", { name: "Apply credit" })).toHaveCount(0);
  await expect(page.getByText("Credit of the customer")).toBeVisible();
  await expectAccessible(page);

  // The surplus is spent, so its payment can be refunded only up to the rest.
  await page.goto(pathOf(first));
  await page.getByRole("button", { name: "Refund" }).click();
  await expect(page.getByRole("dialog").getByLabel("Amount")).toHaveValue("40.00");
});

test("refunding a payment made of credit gives it back, and its source returns it", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  const customer_id = await newCustomer(api, member, "Grace Hopper");
  const source = await makeCredit(api, member, customer_id, 1000);
  await makeCredit(api, member, customer_id, 900, "JPY");
  const customer = { customer_id };
  const { payment_id } = await ask(api, member, { description: "Rolls", amount: 600, customer });
  await sent(api, member.token, `/v1/payments/${payment_id}/apply_credit`, {});
  const credit = creditCard(page);
  await enter(page, customerPath(customer_id), member);
  await expect(credit.getByText("€4.00 of €10.00 left")).toBeVisible();
  await expect(credit).toContainText("¥900");

  await page.goto(pathOf(payment_id));
  await page.getByRole("button", { name: "Refund" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("€6.00 becomes credit of the customer again");
  await dialog.getByRole("button", { name: /^Refund €6\.00/ }).click();
  await expect(dialog).toBeHidden();
  await page.goto(customerPath(customer_id));
  await expect(credit.getByText("€10.00 of €10.00 left")).toBeVisible();

  await credit.getByRole("link", { name: "Surplus of a payment" }).last().click();
  await page.waitForURL(`**/dashboard/transactions/${source}`);
  await expect(page.getByRole("button", { name: "Refund" })).toBeVisible();
});

test("a customer with credit is not erased, and the dialog says why", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  const customer_id = await newCustomer(api, member, "Ada");
  await makeCredit(api, member, customer_id, 1000);
  await enter(page, customerPath(customer_id), member);
  await moreButton(page).click();
  await page.getByRole("button", { name: "Erase" }).click();
  const dialog = page.getByRole("dialog", { name: "Erase the customer “Ada”?" });
  await dialog.getByRole("textbox").fill("Ada");
  await dialog.getByRole("button", { name: "Erase customer" }).click();
  await expect(dialog.getByRole("alert")).toContainText("This customer has credit, or a payment");
  await expectAccessible(page);
});
