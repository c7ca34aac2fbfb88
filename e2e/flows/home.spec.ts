// Home: figures that lead to the lists they count, for each period, by currency.
import { newMember, memberPassword as password, requestPayment } from "../contract/people";
import { expect, test } from "../fixtures";
import { payByForm } from "../payer";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter, untilInteractive } from "./signing-in";

test.beforeEach(({ page }) => watchForFaults(page));

test("figures lead to the lists that they count, and the days are also a table", async ({ page, api }) => {
  test.slow(true, "The page is checked for accessibility at three widths in both schemes.");
  const member = await newMember(api);
  const { payment_url } = await requestPayment(api, member, 18_500, { description: "Two seats" });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  await requestPayment(api, member, 2_500, { description: "A box", expires_at: tomorrow });
  await payByForm(payment_url);
  const call = { token: member.token };
  const yen = { type: "payment", amount: 1200, currency: "JPY", description: "Umbrella" };
  const { transaction_id } = (await api<{ transaction_id: string }>("POST", "/v1/transactions", { ...call, body: yen }))
    .body;
  const refund = { type: "refund", parent_transaction_id: transaction_id, amount: 200 };
  expect((await api("POST", "/v1/transactions", { ...call, body: refund })).status).toBe(200);

  await enter(page, "/dashboard", { ...member, password });
  const euros = page.getByRole("region", { name: /^EUR/ });
  const yens = page.getByRole("region", { name: /^JPY/ });
  await expect(euros).toContainText("1 payment");
  await expect(euros).toContainText("Still due from 1 request");
  await expect(yens.getByRole("link", { name: "¥1,200" }).first()).toBeVisible();
  await expect(euros.getByRole("img", { name: /^EUR received per day .*€185\.00\.$/ })).toBeVisible();
  await euros.getByText("Show the days as a table").click();
  await expect(euros.getByRole("table", { name: "EUR received per day" })).toContainText("€185.00");
  await expect(page.getByRole("table", { name: "Transactions" }).getByRole("row")).toHaveCount(4);
  await expectAccessible(page);

  await yens.getByRole("link", { name: "¥200" }).first().click();
  await page.waitForURL("**/dashboard/transactions?type=refund&**");
  await expect(page.locator("tr[data-row]")).toHaveCount(1);
  await page.goto("/dashboard");
  await untilInteractive(page);
  await euros.getByRole("link", { name: "€25.00" }).click();
  await page.waitForURL("**/dashboard/payment-requests?open=true**");
  await expect(page.locator("tr[data-row]")).toContainText("A box");

  await page.goto("/dashboard");
  await untilInteractive(page);
  await expect(page.getByText("1 open payment request expires within 48 hours.")).toBeVisible();
  await page.getByRole("link", { name: "Show these requests" }).click();
  await page.waitForURL("**/dashboard/payment-requests?open=true**ends_before=**");
  await expect(page.locator("tr[data-row]")).toContainText("A box");

  await page.goto("/dashboard");
  await untilInteractive(page);
  await page.getByRole("navigation", { name: "Period" }).getByRole("link", { name: "Last 7 days" }).click();
  await page.waitForURL("**/dashboard?days=7");
  await expect(euros).toContainText("Previous 7 days: none");
  // What is open is so at this moment, which compares with no period.
  const open = euros.locator("dl > div").filter({ has: page.getByText("Open", { exact: true }) });
  await expect(open).toHaveText("Open€25.00Still due from 1 request");
});

test("currencies after the fourth are behind a summary, which works without a script", async ({
  page,
  api,
  browser,
}) => {
  const member = await newMember(api);
  const { token } = member;
  await requestPayment(api, member, 4_200, { description: "Six seats" });
  for (const currency of ["EUR", "EUR", "JPY", "USD", "GBP", "CHF"]) {
    const body = { type: "payment", amount: 700, currency, description: "Till" };
    expect((await api("POST", "/v1/transactions", { token, body })).status).toBe(200);
  }
  await enter(page, "/dashboard", { ...member, password });
  const euros = page.getByRole("region", { name: /^EUR/ });
  await expect(euros).toContainText("Newly requested");
  await expect(euros).toContainText("1 new request");
  await expect(page.getByRole("region", { name: /^[A-Z]{3} / })).toHaveCount(4);

  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const still = await plain.newPage();
  await still.goto(page.url());
  await still.getByText("Show 1 more currency").click();
  await expect(still.getByRole("region", { name: /^[A-Z]{3} / })).toHaveCount(5);
  await plain.close();

  await euros.getByRole("link", { name: "€42.00" }).first().click();
  await page.waitForURL("**/dashboard/payment-requests?**requested=true**");
  await expect(page.locator("tr[data-row]")).toContainText("Six seats");
});
