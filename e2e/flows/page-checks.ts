// Checks for every page: accessible in both color schemes at two or three widths, no motion for users who prefer less,
// nothing loaded from other hosts, no blocked script.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import axe, { type RunOnly } from "axe-core";
import { expect, type Page } from "playwright/test";

/** The accessibility checks as one script. Loading it is slow, so each document gets it once. */
const axeScript = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const allRules: RunOnly = { type: "tag", values: tags };
/** The rules that check colors. All others give the same result in both schemes. */
const colorRules: RunOnly = {
  type: "rule",
  values: axe
    .getRules(tags)
    .filter((rule) => rule.tags.includes("cat.color"))
    .map(({ ruleId }) => ruleId),
};

const desktop = { width: 1280, height: 800 };
const phone = { width: 375, height: 740 };
/** The width at which WCAG 2.2 (1.4.10) forbids horizontal scrolling. */
export const narrow = { width: 320, height: 640 };

/** The pages that this worker has checked, as paths without ids. */
const knownPages = new Set<string>();

/**
 * Checks the current page with its dialogs and messages, and leaves it in the light scheme at desktop width. The first
 * state of a page is checked in both schemes at both widths, a later one in the dark scheme at the smaller width, where
 * most goes wrong.
 */
export async function expectAccessible(page: Page, small = phone): Promise<void> {
  // During a navigation the page briefly has no title.
  await expect(page).toHaveTitle(/./);
  const pageName = new URL(page.url()).pathname.replaceAll(/[^/]{20,}/g, "*");
  const isKnown = knownPages.has(pageName);
  knownPages.add(pageName);
  for (const viewport of [small, desktop]) {
    await page.setViewportSize(viewport);
    if (!isKnown || viewport === small) await expectNoFaults(page, "dark", allRules);
    if (!isKnown) await expectNoFaults(page, "light", colorRules);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${page.url()} scrolls sideways at ${viewport.width} px`).toBeLessThanOrEqual(0);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

async function expectNoFaults(page: Page, colorScheme: "dark" | "light", rules: RunOnly): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  const where = `${page.url()} ${colorScheme} ${page.viewportSize()?.width} px`;
  expect(await motionOf(page), `moves on ${where}`).toEqual([]);
  expect(await faultsOf(page, rules), where).toEqual([]);
}

/** Everything that still moves or changes colors after the page has applied a new scheme or size. */
export const motionOf = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    // The first frame runs the media query listeners, the second draws what they changed.
    await frame();
    await frame();
    const moving = document.getAnimations().map((animation) => {
      const name = animation instanceof CSSTransition ? animation.transitionProperty : "animation";
      const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
      return `${name} of ${target?.tagName} ${target?.className}`;
    });
    return [...new Set(moving)];
  });

async function faultsOf(page: Page, runOnly: RunOnly): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeScript);
  return page.evaluate(async (runOnly) => {
    // A target half under the bar at the top would count as too small.
    window.scrollTo(0, 0);
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await run(document, { runOnly, resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  }, runOnly);
}

/** Fails the test when a page throws, violates its content security policy, or sends a request to another host. */
export function watchForFaults(page: Page): void {
  const fail = (fault: string) => expect.soft(fault, "what went wrong in the browser").toBe("");
  page.on("pageerror", (error) => fail(String(error)));
  page.on("console", (message) => {
    if (/content security policy|hydrat/i.test(message.text())) fail(message.text());
  });
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^https?:$/.test(protocol) && !["127.0.0.1", "localhost"].includes(hostname))
      fail(`requested ${request.url()}`);
  });
}
