// The receipt in a browser: linked from the paid page, at a permanent address, printed on one sheet.
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, cards, heading, payWith } from "./payer";

const lines = Array.from({ length: 12 }, (_, index) => ({
  name: `Day ${index + 1} of the course`,
  quantity: 2,
  unit_amount: 4_000,
  tax_rate_bp: 1900,
}));

test.beforeEach(({ page }) => watchForFaults(page));

test("the paid page and the merchant's record both link to the receipt", async ({ page, api, adminToken }) => {
  const request = await ask(api, adminToken, { reference: "INV-2026-117" });
  await page.goto(`${request.payment_url}/receipt`);
  await expect(heading(page, "No receipt yet")).toBeVisible();
  await expectAccessible(page);
  await payWith(page, request, cards.good);
  await page.getByRole("link", { name: "View receipt" }).click();
  await expect(heading(page, "Receipt")).toBeVisible();
  for (const part of ["Visa ending in 4242", "INV-2026-117", "Sourdough course", "€1,249.00"]) {
    await expect(page.getByText(part).first()).toBeVisible();
  }
  await expectAccessible(page);
  const { body } = await api("GET", `/v1/payments/${request.payment_id}`, { token: adminToken });
  expect(body.receipt_url).toBe(page.url());
});

test("it is saved as a PDF and prints on one page, without buttons and with the test notice", async ({
  page,
  api,
  adminToken,
}) => {
  const request = await ask(api, adminToken, { amount: undefined, line_items: lines });
  await page.goto(request.payment_url);
  await page.getByLabel("Card number").fill(cards.good);
  await page.getByLabel("Expiry date").fill("12/34");
  await page.getByLabel("Security code").fill("123");
  await page.getByRole("button", { name: /^Pay / }).click();
  const refund = { token: adminToken, body: { amount: 100 } };
  await api("POST", `/v1/payments/${request.payment_id}/refund`, refund);
  await page.getByRole("link", { name: "View receipt" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download as PDF" }).click();
  expect((await download).suggestedFilename()).toMatch(/^receipt-txn_\w+\.pdf$/);
  const print = page.getByRole("button", { name: "Print" });
  await page.evaluate(() => Object.assign(window, { print: () => Object.assign(document, { title: "printed" }) }));
  await print.click();
  await expect(page).toHaveTitle("printed");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(print).toBeHidden();
  await expect(page.getByRole("link", { name: "Deutsch" })).toBeHidden();
  await expect(page.getByText("TEST", { exact: true })).toBeVisible();
  await expect(page.getByText("Day 12 of the course")).toBeVisible();
  for (const format of ["A4", "Letter"]) {
    const sheets = (await page.pdf({ format })).toString("latin1").match(/\/Type\s*\/Page\b/g);
    expect(sheets, format).toHaveLength(1);
  }
});
