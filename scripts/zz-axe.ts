// npm run screenshots [-- name…]: captures every page and state into screenshots/, and the README's two images into
// docs/. They show the demo's business, to which states are added that it does not have.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright";
import { firstAdmin, serverEnvironment, startServer } from "../e2e/server";
import { seedPeople } from "./screenshots/people";
import { member, seed } from "./screenshots/seed";
import { businessShots, dashboardShots, hostedShots, peopleShots, type Shot, troubleShots } from "./screenshots/shots";
import { seedTrouble } from "./screenshots/trouble";

const folder = "screenshots";
const mostBytes = 150_000;
/**
 * For hosted pages, which use the fonts of the system. A machine without a desktop has few. This one looks most like
 * what people have. Only pages of the dashboard have Mantine's attribute.
 */
const font =
  ':root:not([data-mantine-color-scheme]) * { font-family: "Liberation Sans", Arial, sans-serif !important; }';

interface Look {
  name: string;
  width: number;
  height: number;
  colorScheme: "light" | "dark";
}

const looks: Look[] = [1280, 375, 320].flatMap((width) => (["light", "dark"] as const).map((colorScheme) => ({ name: `${width}-${colorScheme}`, width, height: 740, colorScheme })));
const axeScript = (await import("node:fs")).readFileSync("node_modules/axe-core/axe.min.js", "utf8");
async function check(context: BrowserContext, url: string, shot: Shot): Promise<string[]> {
  const page = await context.newPage();
  try {
    await page.goto(new URL(shot.path, url).href, { waitUntil: "load" });
    if (shot.act) { await page.waitForLoadState("networkidle"); await shot.act(page); }
    await page.waitForTimeout(500);
    await page.evaluate(axeScript);
    const faults = await page.evaluate(async () => {
      window.scrollTo(0, 0);
      const { violations } = await (window as any).axe.run(document, { runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }, resultTypes: ["violations"] });
      return violations.map(({ id, nodes }: any) => `${id}: ${nodes.map(({ html }: any) => html.slice(0, 200)).join(" ")}`);
    });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    return over > 0 ? [...faults, `scrolls sideways by ${over}`] : faults;
  } finally { await page.close(); }
}

/** The README's images: shot and look of each. */
const published: Record<string, string> = { "requests/desktop": "dashboard.png", "pay-open/phone": "pay-page.png" };

const people = { admin: firstAdmin, member };

/** One browser context for each look, user and language, signed in once. */
class Contexts {
  private readonly known = new Map<string, Promise<BrowserContext>>();

  constructor(
    private readonly browser: Browser,
    private readonly url: string,
  ) {}

  of(look: Look, { as, locale = "en-IE" as string }: Pick<Shot, "as"> & { locale?: string }): Promise<BrowserContext> {
    const key = [look.name, as, locale].join();
    const context = this.known.get(key) ?? this.open(look, as, locale);
    this.known.set(key, context);
    return context;
  }

  private async open({ width, height, colorScheme }: Look, as: Shot["as"], locale: string): Promise<BrowserContext> {
    const viewport = { width, height };
    const settings = { viewport, colorScheme, locale, bypassCSP: true, timezoneId: "Europe/Dublin" };
    const context = await this.browser.newContext(settings);
    if (as === "nobody") return context;
    const page = await context.newPage();
    await page.goto(`${this.url}/sign-in`);
    // In any language.
    await page.locator("#email").fill(people[as].email);
    await page.locator("#password").fill(people[as].password);
    await page.locator("button[type=submit]").click();
    await page.waitForURL("**/dashboard**");
    await page.close();
    return context;
  }
}

async function draw(context: BrowserContext, url: string, shot: Shot, isWhole: boolean): Promise<Buffer> {
  const page = await context.newPage();
  try {
    await page.goto(new URL(shot.path, url).href, { waitUntil: "load" });
    await page.addStyleTag({ content: font });
    if (shot.act) {
      await page.waitForLoadState("networkidle");
      await shot.act(page);
      await page.waitForTimeout(400);
    }
    return await page.screenshot({ fullPage: isWhole, animations: "disabled" });
  } finally {
    await page.close();
  }
}

function publish(file: string, picture: Buffer): void {
  if (picture.length > mostBytes) throw new Error(`${file} has ${picture.length} bytes; ${mostBytes} is the most.`);
  writeFileSync(path.join("docs", file), picture);
}

const wanted = process.argv.slice(2);
const dataDir = mkdtempSync(path.join(tmpdir(), "quittance-screenshots-"));
const databaseUrl = `file:${path.join(dataDir, "demo.db")}`;
fillDemo();
const server = await startServer({ engine: "sqlite", dataDir, databaseUrl });
const executablePath = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find((file) => file && existsSync(file));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--no-first-run"] });
const contexts = new Contexts(browser, server.url);
const failed: string[] = [];

/** Carries out the demo's business in the database that the server will have. */
function fillDemo(): void {
  const settings = { port: 3000, url: "http://localhost:3000", dataDir, databaseUrl, given: { LOG_LEVEL: "error" } };
  const args = ["--import", "tsx", "scripts/demo/fill.ts"];
  const env = { ...serverEnvironment(settings), NODE_ENV: "production" as const };
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env });
  if (status !== 0) throw new Error("The demo could not be filled.");
}

async function drawAll(shots: readonly Shot[]): Promise<number> {
  const chosen = shots.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  for (const shot of chosen) {
    for (const look of looks) {
      try {
        const context = await contexts.of(look, shot);
        for (const fault of await check(context, server.url, shot)) console.log(`${shot.name} ${look.name} ${fault}`);
      } catch (error) {
        failed.push(`${shot.name}, ${look.name}: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
      }
    }
  }
  return chosen.length;
}

try {
  
  for (const look of looks) mkdirSync(path.join(folder, look.name), { recursive: true });
  const business = await drawAll(businessShots);
  const seeded = await seed(server.url);
  const usual = await drawAll([...hostedShots(seeded), ...dashboardShots(seeded)]);
  const colleagues = await drawAll(peopleShots(await seedPeople(server.url, seeded.payments.open)));
  const odd = await drawAll(troubleShots(await seedTrouble(server)));
  console.log(`${business + usual + colleagues + odd} pages and states, in ${looks.length} looks each: ${folder}/`);
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
for (const text of failed) console.error(text);
if (failed.length > 0) process.exitCode = 1;
