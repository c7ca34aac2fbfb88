// npm run screenshots: draws docs/screenshot.png, the pay page beside the dashboard, from a server on seeded data.
import { existsSync, writeFileSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright";
import { type Api, createApi, signIn } from "../e2e/api";
import { ADMIN, startServer } from "../e2e/server";

const TARGET = "docs/screenshot.png";
const MOST_BYTES = 150_000;
const PICTURE = { width: 1400, height: 820 };
const DASHBOARD = { width: 1060, height: 640 };
const PHONE = { width: 360, height: 728 };
/** A machine without a desktop has few fonts; this is the one of them that looks like what people have. */
const FONT = '* { font-family: "Liberation Sans", Arial, sans-serif !important; }';

const REQUESTS = [
  {
    description: "Bread for the canteen, November",
    amount: 64_800,
    currency: "EUR",
    customer: { name: "Alan Turing" },
  },
  {
    description: "Workshop: sourdough for beginners",
    amount: 9_500,
    currency: "EUR",
    customer: { name: "Mary Jackson" },
  },
  { description: "Panettone, two dozen", amount: 57_600, currency: "EUR", customer: { name: "Katherine Johnson" } },
  { description: "Birthday cake, chocolate", amount: 4_850, currency: "EUR", customer: { name: "Dorothy Vaughan" } },
  { description: "Catering, opening night", amount: 124_950, currency: "EUR", customer: { name: "Edsger Dijkstra" } },
  { description: "Wedding cake, three tiers", amount: 48_000, currency: "EUR", customer: { name: "Grace Hopper" } },
];
const PAID = [0, 2, 4];
const CANCELED = 3;

type Created = { payment_id: string; payment_url: string };

async function call<T>(api: Api, method: string, path: string, token: string, body: object): Promise<T> {
  const reply = await api<T>(method, path, { token, body });
  if (reply.status !== 200) throw new Error(`${method} ${path} was refused: ${reply.text}`);
  return reply.body;
}

/** A bakery with a few requests, some of them paid; resolves to the link of the last, which is open. */
async function seed(api: Api): Promise<string> {
  const { access_token: token } = await signIn(api);
  await call(api, "PATCH", "/v1/accounts", token, { account_name: "Ada's bakery" });
  const created: Created[] = [];
  for (const request of REQUESTS) {
    created.push(await call<Created>(api, "POST", "/v1/payments", token, { type: "product", ...request }));
  }
  for (const [index, { payment_id }] of created.entries()) {
    const { amount = 0, currency = "" } = REQUESTS[index] ?? {};
    const payment = { type: "payment", amount, currency, payment_id };
    if (PAID.includes(index)) await call(api, "POST", "/v1/transactions", token, payment);
    if (index === CANCELED) await call(api, "POST", `/v1/payments/${payment_id}/cancel`, token, {});
  }
  return created.at(-1)?.payment_url ?? "";
}

async function open(browser: Browser, viewport: { width: number; height: number }): Promise<Page> {
  const settings = {
    viewport,
    bypassCSP: true,
    colorScheme: "light",
    locale: "en-IE",
    timezoneId: "Europe/Dublin",
  } as const;
  return (await browser.newContext(settings)).newPage();
}

async function draw(page: Page): Promise<string> {
  await page.addStyleTag({ content: FONT });
  const bytes = await page.screenshot();
  return `data:image/png;base64,${bytes.toString("base64")}`;
}

async function dashboard(browser: Browser, url: string): Promise<string> {
  const page = await open(browser, DASHBOARD);
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("E-mail").fill(ADMIN.email);
  await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("table").waitFor();
  return draw(page);
}

async function payPage(browser: Browser, link: string): Promise<string> {
  const page = await open(browser, PHONE);
  await page.goto(link);
  return draw(page);
}

/** Both pictures on one ground, the phone in front. */
async function compose(browser: Browser, desktop: string, phone: string): Promise<Buffer> {
  const page = await open(browser, PICTURE);
  await page.setContent(`
    <style>
      body { margin: 0; height: 100vh; background: #e7ebf5; }
      img { position: absolute; border-radius: 12px; box-shadow: 0 0 0 1px #0001, 0 12px 32px #16213d2e; }
      .desktop { left: 40px; top: 40px; width: ${DASHBOARD.width}px; }
      .phone { right: 40px; bottom: 40px; width: ${PHONE.width}px; border-radius: 24px; }
    </style>
    <img class="desktop" src="${desktop}"><img class="phone" src="${phone}">`);
  return page.screenshot();
}

const server = await startServer({ engine: "sqlite" });
const executablePath = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find((file) => file && existsSync(file));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--no-first-run"] });
try {
  const link = await seed(createApi(server.url));
  const picture = await compose(browser, await dashboard(browser, server.url), await payPage(browser, link));
  if (picture.length > MOST_BYTES)
    throw new Error(`The picture has ${picture.length} bytes; ${MOST_BYTES} is the most.`);
  writeFileSync(TARGET, picture);
  console.log(`${TARGET}: ${picture.length} bytes`);
} finally {
  await browser.close();
  await server.stop();
}
