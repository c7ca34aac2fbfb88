// Checks for every page: accessible in both color schemes at three widths, no motion for users who prefer less,
// nothing loaded from other hosts, no blocked script.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import axe, { type RunOnly, type RunOptions } from "axe-core";
import { expect, type Page, test } from "playwright/test";

/** The accessibility checks as one script. Loading it is slow, so each document gets it once. */
const axeScript = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const allRules: RunOnly = { type: "tag", values: tags };
/** Also run with all rules: whether the name of a control contains its visible text (WCAG 2.5.3). */
const experimental = { "label-content-name-mismatch": { enabled: true } };
const colorRuleIds = axe
  .getRules(tags)
  .filter((rule) => rule.tags.includes("cat.color"))
  .map(({ ruleId }) => ruleId);
/**
 * The rules that check colors. No other depends on the color scheme:
 * https://github.com/dequelabs/axe-core/blob/develop/doc/rule-descriptions.md
 */
const colorRules: RunOnly = { type: "rule", values: colorRuleIds };
/** The rules that measure elements, for a second small width: what exists there was already checked at the first. */
const layoutRules: RunOnly = { type: "rule", values: [...colorRuleIds, "target-size", "scrollable-region-focusable"] };

interface Look {
  width: number;
  height: number;
  colorScheme: "dark" | "light";
  rules: RunOnly;
}

const desktop = { width: 1280, height: 800 };
const phone = { width: 375, height: 740 };
/** The width at which WCAG 2.2 (1.4.10) forbids horizontal scrolling. Most goes wrong here in the dark scheme. */
const narrow = { width: 320, height: 640 };
const narrowest: Look = { ...narrow, colorScheme: "dark", rules: allRules };
/** Three widths in both schemes. Each step changes either the width or the scheme, because a change takes time. */
const allLooks: Look[] = [
  { ...desktop, colorScheme: "light", rules: allRules },
  { ...desktop, colorScheme: "dark", rules: colorRules },
  { ...phone, colorScheme: "dark", rules: colorRules },
  { ...phone, colorScheme: "light", rules: layoutRules },
  { ...narrow, colorScheme: "light", rules: colorRules },
  narrowest,
];

/** Each width and each scheme once. */
const stateLooks: Look[] = [
  { ...desktop, colorScheme: "light", rules: layoutRules },
  { ...phone, colorScheme: "light", rules: colorRules },
  narrowest,
];

/**
 * Checks the current page with its dialogs and messages, and leaves it in the light scheme at desktop width. Where a page
 * is seen first, it is checked at three widths in both schemes; a dialog, an empty state or a kind of message on it, at
 * each width; whatever else has changed, at 320 px in the dark scheme.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // During a navigation the page briefly has no title.
  await expect(page).toHaveTitle(/./);
  for (const look of await looksFor(page)) await expectNoFaults(page, look);
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

async function looksFor(page: Page): Promise<readonly Look[]> {
  const path = new URL(page.url()).pathname.replaceAll(/[^/]{20,}/g, "*");
  // A customer's page is another one in each state: paid, failed, expired.
  const kinds = await page.locator(".state h1").allTextContents();
  const name = [path, ...kinds.map(withoutNames)].join(" ");
  const isNewState = isFirst(`${name} ${await stateOf(page)}`);
  if (isFirst(name)) return allLooks;
  return isNewState ? stateLooks : [narrowest];
}

/** Whether nothing has checked this before, in this run of the tests. Its workers share a folder. */
function isFirst(what: string): boolean {
  const name = createHash("sha256").update(what).digest("hex");
  const mark = join(test.info().project.outputDir, "checked-pages", name);
  return mkdirSync(mark, { recursive: true }) !== undefined;
}

/**
 * What tells states of a page apart: the titles of open dialogs and empty states without names and numbers, the status
 * of a record, and alerts.
 */
async function stateOf(page: Page): Promise<string> {
  const titles = page.locator("dialog[open] :is(h2, h3), [class*=_emptyTitle], [class*=_head] [class*=_badge]");
  const alerts = page.locator("[role=alert]").filter({ visible: true, hasText: /./ });
  const texts = (await titles.allTextContents()).map(withoutNames);
  return [...texts, (await alerts.count()) > 0].join("|");
}

const withoutNames = (text: string): string => text.replaceAll(/“[^”]*”|\S*\d\S*/g, "*");

async function expectNoFaults(page: Page, { width, height, colorScheme, rules }: Look): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  const where = `${page.url()} ${colorScheme} ${width} px`;
  expect(await motionOf(page), `moves on ${where}`).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `scrolls sideways on ${where}`).toBeLessThanOrEqual(0);
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
  const options: RunOptions = { runOnly, rules: experimental, resultTypes: ["violations"] };
  return page.evaluate(async (options) => {
    // A target half under the bar at the top would count as too small.
    window.scrollTo(0, 0);
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    // What is behind an open menu cannot be pressed, but axe would call what the menu covers in part too small.
    const { violations } = await run(document.querySelector("[data-veil]")?.parentElement ?? document, options);
    const told = ({ html, failureSummary }: axe.NodeResult) => `${html} ${failureSummary}`;
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(told).join("\n")}`);
  }, options);
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
