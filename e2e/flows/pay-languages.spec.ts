// A payer chooses each language of the pay page, is declined, pays, and sees the receipt.
import { readFileSync } from "node:fs";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, cards } from "./payer";

test.beforeEach(({ page }) => watchForFaults(page));

const textsOf = (language: string) =>
  JSON.parse(readFileSync(new URL(`../../messages/${language}.json`, import.meta.url), "utf8")).pay;

for (const [language, name, direction] of [
  ["fr", "Français", "ltr"],
  ["es", "Español", "ltr"],
  ["ja", "日本語", "ltr"],
  ["ar", "العربية", "rtl"],
] as const) {
  test(`a payer chooses ${name}, and everything is in that language`, async ({ page, api, adminToken }) => {
    const t = textsOf(language);
    const items = [{ name: "Rye (2 kg)", quantity: 3, unit_amount: 41633, tax_rate_bp: 700 }];
    const { payment_url } = await ask(api, adminToken, { amount: undefined, line_items: items });
    await page.goto(payment_url);
    await page.getByRole("link", { name, exact: true }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await expect(page.locator("html")).toHaveCSS("direction", direction);
    await expectAccessible(page);
    const pay = async (number: string) => {
      await page.getByLabel(t.form.number).fill(number);
      await page.getByLabel(t.form.expiry).fill("12/34");
      await page.getByLabel(t.form.code).fill("123");
      await page.locator("form .button").click();
    };
    await pay(cards.noFunds);
    await expect(page.getByRole("alert")).toContainText(t.decline.insufficient_funds);
    await expectAccessible(page);
    await pay(cards.good);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t.heading.paid);
    await expectAccessible(page);
    await page.getByRole("link", { name: t.viewReceipt }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t.receipt.title);
    await expectAccessible(page);
  });
}
