// A payment that the payer's bank wants confirmed: completed, failed, abandoned, then another card.
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, cards, fill, heading, payButton, payWith, statusOf } from "./payer";

test.describe("confirming with the bank", () => {
  test.beforeEach(({ page }) => watchForFaults(page));

  test("Complete pays, and a second answer has no effect", async ({ page, api, adminToken }) => {
    const request = await ask(api, adminToken);
    await payWith(page, request, cards.challenged);
    await expect(heading(page, "Confirm your payment")).toBeVisible();
    await expect(page.getByText("this page takes the place of your bank.")).toBeVisible();
    await expect(page.getByText("Visa ending in 3184")).toBeVisible();
    await expectAccessible(page);
    const bank = page.url();
    await page.getByRole("button", { name: "Complete" }).dblclick();
    await expect(heading(page, "Payment received")).toBeVisible();
    expect(page.url()).toBe(request.payment_url);
    await page.goto(bank);
    await expect(heading(page, "Already answered")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Back to the payment page" }).click();
    await expect(heading(page, "Payment received")).toBeVisible();
    expect(await statusOf(api, adminToken, request)).toBe("paid");
  });

  test("Fail leads back to the form with the reason, and another card pays", async ({ page, api, adminToken }) => {
    const request = await ask(api, adminToken);
    await payWith(page, request, cards.challenged);
    await page.getByRole("button", { name: "Fail" }).click();
    await expect(page.getByRole("alert")).toContainText("The payment was not confirmed with your bank.");
    await expect(page.getByRole("alert")).toBeFocused();
    await expect(page.getByLabel("Card number")).toHaveValue("");
    await fill(page, cards.good);
    await payButton(page).click();
    await expect(heading(page, "Payment received")).toBeVisible();
    expect(await statusOf(api, adminToken, request)).toBe("paid");
  });

  test("Abandon leaves the payment open: the payer returns to the bank or uses another card", async ({
    page,
    api,
    adminToken,
  }) => {
    const request = await ask(api, adminToken);
    await payWith(page, request, cards.challenged);
    await page.getByRole("link", { name: "Abandon" }).click();
    await expect(heading(page, "Confirm with your bank")).toBeVisible();
    expect(await statusOf(api, adminToken, request)).toBe("requires_action");
    await expectAccessible(page);
    await page.getByRole("link", { name: "Continue to your bank" }).click();
    await expect(heading(page, "Confirm your payment")).toBeVisible();
    await page.getByRole("link", { name: "Abandon" }).click();
    await page.getByRole("button", { name: "Pay another way" }).click();
    await fill(page, cards.good);
    await payButton(page).click();
    await expect(heading(page, "Payment received")).toBeVisible();
    expect(await statusOf(api, adminToken, request)).toBe("paid");
  });

  test("works by keyboard alone, in German", async ({ page, api, adminToken }) => {
    // An invoice has a link before the form.
    const request = await ask(api, adminToken, { type: "product", due_at: undefined });
    await page.goto(`${request.payment_url}?lang=de`);
    for (const typed of [cards.challenged, "1234", "123"]) {
      await page.keyboard.press("Tab");
      await page.keyboard.type(typed);
    }
    await page.keyboard.press("Enter");
    await expect(heading(page, "Zahlung bestätigen")).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "Bestätigen" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(heading(page, "Zahlung erhalten")).toBeVisible();
    expect(await statusOf(api, adminToken, request)).toBe("paid");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("confirmation works", async ({ page, api, adminToken }) => {
    const request = await ask(api, adminToken);
    await payWith(page, request, cards.challenged);
    await page.getByRole("button", { name: "Complete" }).click();
    await expect(heading(page, "Payment received")).toBeVisible();
    expect(await statusOf(api, adminToken, request)).toBe("paid");
  });
});
