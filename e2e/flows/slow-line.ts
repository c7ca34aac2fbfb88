// A slow line: pages that the browser reads without loading them as a whole arrive when a test says so.
import type { Page, Request } from "playwright/test";

/** Whether the browser reads a page without loading it as a whole. */
export const isReading = (request: Request): boolean => request.headers().rsc === "1";

/** Holds back every such answer until the returned function is called. */
export async function holdReading(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/dashboard/**", async (route) => {
    if (!isReading(route.request())) return route.continue();
    const response = await route.fetch();
    await released;
    await route.fulfill({ response });
  });
  return release;
}
