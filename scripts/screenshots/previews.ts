// What is typed before the pictures of forms with a preview.
import type { Page } from "playwright";

export async function typeTrial(page: Page): Promise<void> {
  await page.getByLabel("Description").fill("Cake club");
  await page.getByLabel("Amount").fill("24");
  await page.getByLabel("Trial days").fill("14");
  await page.getByLabel("Number of payments").fill("12");
  await showPreview(page);
}

/** With the invoice beside the form, where there is room. */
export async function typeInvoice(page: Page): Promise<void> {
  await page.getByLabel("Description").fill("Breakfast buffet for twenty");
  await page.getByLabel("Amount").fill("290");
  await page.getByLabel("Customer name").fill("Hotel Alsterblick");
  await page.getByLabel("Notes").fill("Thank you for your order.");
  const shows = page.getByRole("radiogroup", { name: "What the preview shows" });
  if (await shows.isVisible()) await shows.getByText("Invoice").click();
  await showPreview(page);
}

/** Waits for the preview, in a window as high as the page: Chromium draws no frame that is out of sight. */
export async function showPreview(page: Page) {
  await page.waitForTimeout(1_500);
  await page.waitForFunction(() => [...document.querySelectorAll("iframe")].every(({ srcdoc }) => srcdoc !== ""));
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height });
}
