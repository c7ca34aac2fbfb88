// How the card form groups digits while they are typed.
import type { Page } from "playwright/test";
import { expect, test } from "../fixtures";
import { watchForFaults } from "./page-checks";
import { ask, payButton } from "./payer";

test.beforeEach(({ page }) => watchForFaults(page));

const number = (page: Page) => page.getByLabel("Card number");
const expiry = (page: Page) => page.getByLabel("Expiry date");

test("digits are grouped as they are typed and pasted, and editing is left alone", async ({
  page,
  api,
  adminToken,
}) => {
  const { payment_url } = await ask(api, adminToken);
  await page.goto(payment_url);
  await number(page).pressSequentially("4242424242424242");
  await expect(number(page)).toHaveValue("4242 4242 4242 4242");
  for (let i = 0; i < 5; i++) await page.keyboard.press("Backspace");
  await expect(number(page)).toHaveValue("4242 4242 4242");
  await page.keyboard.press("4");
  await expect(number(page)).toHaveValue("4242 4242 4242 4");
  await page.keyboard.press("Home");
  await page.keyboard.press("Delete");
  await page.keyboard.press("5");
  await expect(number(page)).toHaveValue("5242 4242 4242 4");
  expect(await number(page).evaluate((field: HTMLInputElement) => field.selectionStart)).toBe(1);
  await number(page).fill("378282246310005");
  await expect(number(page)).toHaveValue("3782 822463 10005");
  await number(page).fill("４２４２４２４２４２４２４２４２");
  await expect(number(page)).toHaveValue("４２４２４２４２４２４２４２４２");

  await expiry(page).pressSequentially("12/30");
  await expect(expiry(page)).toHaveValue("12 / 30");
  for (let i = 0; i < 5; i++) await page.keyboard.press("Backspace");
  await expect(expiry(page)).toHaveValue("12");
  await expiry(page).fill("");
  await expiry(page).pressSequentially("1234");
  await expect(expiry(page)).toHaveValue("12 / 34");
  await page.getByLabel("Security code").fill("123");
  await payButton(page).click();
  await expect(page.getByRole("heading", { name: "Payment received" })).toBeVisible();
});
