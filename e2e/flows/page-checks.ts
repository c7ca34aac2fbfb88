// What holds for every page: no accessibility fault in either scheme at two widths, nothing from outside, no refused script.
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "playwright/test";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const desktop = { width: 1280, height: 800 };
const phone = { width: 375, height: 740 };
/** The width at which WCAG 2.2 (1.4.10) forbids scrolling sideways. */
export const narrow = { width: 320, height: 640 };

/** Checks the page as it stands, dialogs and messages included, and puts the viewport back. */
export async function expectAccessible(page: Page, small = phone): Promise<void> {
  for (const viewport of [small, desktop]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      // Without the tab of its own that axe opens for pages with frames: there are none, and it takes most of the time.
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).withTags(tags).analyze();
      const faults = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
      expect(faults, `${page.url()} ${colorScheme} ${viewport.width} px`).toEqual([]);
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${page.url()} scrolls sideways at ${viewport.width} px`).toBeLessThanOrEqual(0);
  }
}

/** Fails the test when a page throws, breaks its content security policy, or asks any other machine for something. */
export function watchForFaults(page: Page): void {
  const fail = (fault: string) => expect.soft(fault, "what went wrong in the browser").toBe("");
  page.on("pageerror", (error) => fail(String(error)));
  page.on("console", (message) => {
    if (/content security policy|hydrat/i.test(message.text())) fail(message.text());
  });
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^https?:$/.test(protocol) && hostname !== "127.0.0.1") fail(`asked ${request.url()}`);
  });
}
