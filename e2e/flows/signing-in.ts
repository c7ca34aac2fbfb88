// Signs in without the form, which has its own tests, waits until a page is interactive, and uses it by keyboard.
import { expect, type Locator, type Page } from "playwright/test";
import { timeZoneCookie } from "../../app/_i18n/time-zone-cookie";
import { firstAdmin } from "../server";

/** Signs in and opens the page at `path`; resolves when it reacts to clicks and keys. */
export async function enter(page: Page, path: string, { email, password } = firstAdmin): Promise<void> {
  const reply = await page.request.post("/api/trpc/sessions.signIn", {
    data: { email, password },
    headers: { "Sec-Fetch-Site": "same-origin" },
  });
  expect(reply.status(), await reply.text()).toBe(200);
  // A page that does not know the user's time zone reloads and may replace the elements that the test is about to use.
  const value = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  await page.context().addCookies([{ name: timeZoneCookie, value, url: new URL(reply.url()).origin }]);
  await page.goto(path);
  await untilInteractive(page);
}

/** Resolves when React has hydrated the page (Mantine then marks the root) and is idle. */
export const untilInteractive = async (page: Page): Promise<void> => {
  // While the browser changes pages, there is a moment at which the document has no element.
  await page.waitForFunction(() =>
    (document.documentElement as Element | null)?.hasAttribute("data-respect-reduced-motion"),
  );
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
};

/** Presses Tab until the element has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(target).toBeFocused({ timeout: 50 });
  }).toPass({ intervals: [0] });
}

/** Moves the focus to the element by Tab, and presses Enter. */
export async function enterAt(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}
