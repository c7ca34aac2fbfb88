// npm run screenshots [-- name…]: captures every page and state into screenshots/, and the README's two images into
// docs/.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright";
import { firstAdmin, startServer } from "../e2e/server";
import { seedPeople } from "./screenshots/people";
import { member, seed } from "./screenshots/seed";
import { dashboardShots, hostedShots, peopleShots, type Shot, troubleShots } from "./screenshots/shots";
import { seedTrouble } from "./screenshots/trouble";

const folder = "screenshots";
const mostBytes = 150_000;
/** A machine without a desktop has few fonts. This one looks most like what people have. */
const font = '* { font-family: "Liberation Sans", Arial, sans-serif !important; }';

interface Look {
  name: string;
  width: number;
  height: number;
  colorScheme: "light" | "dark";
}

const looks: Look[] = [
  { name: "desktop", width: 1280, height: 800, colorScheme: "light" },
  { name: "desktop-dark", width: 1280, height: 800, colorScheme: "dark" },
  { name: "phone", width: 375, height: 740, colorScheme: "light" },
  { name: "phone-dark", width: 375, height: 740, colorScheme: "dark" },
];

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
    await page.getByLabel("E-mail").fill(people[as].email);
    await page.getByLabel("Password", { exact: true }).fill(people[as].password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/dashboard/**");
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
const server = await startServer({ engine: "sqlite" });
const executablePath = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find((file) => file && existsSync(file));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--no-first-run"] });
const contexts = new Contexts(browser, server.url);
const failed: string[] = [];

async function drawAll(shots: readonly Shot[]): Promise<number> {
  const chosen = shots.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  for (const shot of chosen) {
    for (const look of looks) {
      try {
        const context = await contexts.of(look, shot);
        writeFileSync(path.join(folder, look.name, `${shot.name}.png`), await draw(context, server.url, shot, true));
        const file = published[`${shot.name}/${look.name}`];
        if (file) publish(file, await draw(context, server.url, shot, false));
      } catch (error) {
        failed.push(`${shot.name}, ${look.name}: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
      }
    }
  }
  return chosen.length;
}

try {
  if (wanted.length === 0) rmSync(folder, { recursive: true, force: true });
  for (const look of looks) mkdirSync(path.join(folder, look.name), { recursive: true });
  const seeded = await seed(server.url);
  const usual = await drawAll([...hostedShots(seeded), ...dashboardShots(seeded)]);
  const colleagues = await drawAll(peopleShots(await seedPeople(server.url, seeded.payments.open)));
  const odd = await drawAll(troubleShots(await seedTrouble(server)));
  console.log(`${usual + colleagues + odd} pages and states, in ${looks.length} looks each: ${folder}/`);
} finally {
  await browser.close();
  await server.stop();
}
for (const text of failed) console.error(text);
if (failed.length > 0) process.exitCode = 1;
