// Signing in by the form, as most flows begin.
import type { Page } from "playwright/test";
import { ADMIN } from "../server";

/** Signs in by the form and waits until the page at `path` is ready. */
export async function enter(page: Page, path: string, { email, password } = ADMIN): Promise<void> {
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  const { pathname } = new URL(path, page.url());
  await page.waitForURL((url) => url.pathname === pathname);
  await page.waitForLoadState("networkidle");
}
