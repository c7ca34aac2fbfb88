// Signing in without the form, which has flows of its own, and waiting until a page answers.
import { expect, type Page } from "playwright/test";
import { timeZoneCookie } from "../../app/_i18n/time-zone-cookie";
import { ADMIN } from "../server";

/** Signs in and opens the page at `path`; resolves when it answers to clicks and keys. */
export async function enter(page: Page, path: string, { email, password } = ADMIN): Promise<void> {
  const reply = await page.request.post("/api/trpc/sessions.signIn", {
    data: { email, password },
    headers: { "Sec-Fetch-Site": "same-origin" },
  });
  expect(reply.status(), await reply.text()).toBe(200);
  // A page that does not know its reader's time zone is loaded again, which may replace what the test is about to use.
  const value = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  await page.context().addCookies([{ name: timeZoneCookie, value, url: new URL(reply.url()).origin }]);
  await page.goto(path);
  await untilInteractive(page);
}

/** Resolves when React has taken the page over, which is when Mantine marks the root, and has nothing left to do. */
export const untilInteractive = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.documentElement.hasAttribute("data-respect-reduced-motion"));
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
};
