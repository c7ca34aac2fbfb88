// A slow connection: responses to client-side navigations arrive when a test releases them.
import type { Page, Request } from "playwright/test";

/** Whether a request is a client-side navigation rather than a full page load. */
export const isNavigation = (request: Request): boolean => request.headers().rsc === "1";

/** Delays every such response until the returned function is called. */
export async function delayNavigations(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/dashboard/**", async (route) => {
    if (!isNavigation(route.request())) return route.continue();
    const response = await route.fetch();
    await released;
    await route.fulfill({ response });
  });
  return release;
}

/** Delays every script file until the returned function is called. */
export async function delayScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.js*", async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
