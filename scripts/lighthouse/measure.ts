// npm run lighthouse: speed, accessibility and weight of the most important pages, measured on the built product.
import { existsSync } from "node:fs";
import { chromium, type Page } from "playwright";
import { type Api, createApi, signIn } from "../../e2e/api";
import { firstAdmin, freePort, startServer } from "../../e2e/server";

const runCount = 3;
const scoredCategories = ["performance", "accessibility", "best-practices"];
const requestCount = 30;

interface Audit {
  score?: number | null;
  numericValue?: number;
  details?: unknown;
}

/** What is used of Lighthouse's result. */
interface Result {
  lhr: {
    runtimeError?: { message: string };
    audits: Record<string, Audit>;
    categories: Record<string, { score: number | null; auditRefs: { id: string }[] }>;
  };
}

interface Lighthouse {
  default(url: string, flags: object, config?: object): Promise<Result | undefined>;
  desktopConfig: object;
}

// Installed in this folder only, so the compiler does not know it.
const program = new URL("node_modules/lighthouse/core/index.js", import.meta.url);
const { default: lighthouse, desktopConfig }: Lighthouse = await import(program.href);

interface Target {
  name: string;
  url: string;
  /** Lighthouse's phone on a slow connection, or its desktop. */
  device: "phone" | "desktop";
}

interface Figures {
  performance: number;
  accessibility: number;
  bestPractices: number;
  lcpMs: number;
  tbtMs: number;
  cls: number;
  kilobytes: number;
  scriptKilobytes: number;
}

type Created = { payment_url: string };

const lines = [
  { name: "Rye bread, 1 kg", quantity: 12, unit_amount: 680, tax_rate_bp: 700 },
  { name: "Delivery", quantity: 1, unit_amount: 950, tax_rate_bp: 1900 },
];

async function ask(api: Api, token: string, description: string, more: object = {}): Promise<string> {
  const body = { type: "invoice", currency: "EUR", line_items: lines, description, ...more };
  const reply = await api<Created>("POST", "/v1/payments", { token, body });
  if (reply.status !== 200) throw new Error(`POST /v1/payments was refused: ${reply.text}`);
  return reply.body.payment_url;
}

async function pay(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel("Card number").fill("4242 4242 4242 4242");
  await page.getByLabel("Expiry date").fill("12/34");
  await page.getByLabel("Security code").fill("123");
  await page.getByRole("button", { name: /^Pay/ }).click();
  await page.getByRole("heading", { name: "Payment received" }).waitFor();
}

async function openDashboard(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("E-mail").fill(firstAdmin.email);
  await page.getByLabel("Password", { exact: true }).fill(firstAdmin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${url}/dashboard**`);
}

async function measure({ url, device }: Target, port: number, faults: Set<string>): Promise<Figures> {
  const flags = {
    port,
    output: "json" as const,
    onlyCategories: scoredCategories,
    // The session cookie is part of the measurement.
    disableStorageReset: true,
  };
  const config = device === "desktop" ? desktopConfig : undefined;
  let result = await lighthouse(url, flags, config);
  // On a busy machine the browser's trace can arrive too late. Lighthouse itself asks for another run then.
  for (let again = 0; again < 2 && result?.lhr.runtimeError; again++) result = await lighthouse(url, flags, config);
  const error = result?.lhr.runtimeError;
  if (!result || error) throw new Error(`${url}: ${error?.message ?? "no result"}`);
  const { audits, categories } = result.lhr;
  for (const { id } of scoredCategories.slice(1).flatMap((category) => categories[category]?.auditRefs ?? [])) {
    const { score = null } = audits[id] ?? {};
    if (score !== null && score < 1) faults.add(`${id} on ${url}`);
  }
  const score = (id: string) => Math.round((categories[id]?.score ?? 0) * 100);
  const value = (id: string) => audits[id]?.numericValue ?? 0;
  return {
    performance: score("performance"),
    accessibility: score("accessibility"),
    bestPractices: score("best-practices"),
    lcpMs: Math.round(value("largest-contentful-paint")),
    tbtMs: Math.round(value("total-blocking-time")),
    cls: Math.round(value("cumulative-layout-shift") * 1000) / 1000,
    kilobytes: kilobytesOf(audits, () => true),
    scriptKilobytes: kilobytesOf(audits, (type) => type === "Script"),
  };
}

/** Kilobytes transferred, for the kinds of resources that count. */
function kilobytesOf(audits: Record<string, Audit>, counts: (type: string) => boolean): number {
  const { items = [] } = (audits["network-requests"]?.details ?? {}) as {
    items?: { resourceType: string; transferSize: number }[];
  };
  const bytes = items
    .filter(({ resourceType }) => counts(resourceType))
    .reduce((sum, each) => sum + each.transferSize, 0);
  return Math.round(bytes / 102.4) / 10;
}

const middleOf = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The median of each figure over all runs. */
function medians(runs: readonly Figures[]): Figures {
  const names = Object.keys(runs[0] ?? {}) as (keyof Figures)[];
  return Object.fromEntries(names.map((name) => [name, middleOf(runs.map((run) => run[name]))])) as unknown as Figures;
}

const server = await startServer({ engine: "sqlite" });
const executablePath = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find((file) => file && existsSync(file));
const port = await freePort();
const context = await chromium.launchPersistentContext("", {
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", `--remote-debugging-port=${port}`],
});
try {
  const api = createApi(server.url);
  const { access_token: token } = await signIn(api);
  await api("PATCH", "/v1/accounts", { token, body: { account_name: "Ada's bakery" } });
  for (let index = 1; index <= requestCount; index++) await ask(api, token, `Bread, order ${index}`);
  const open = await ask(api, token, "Bread for the canteen, November");
  const paid = await ask(api, token, "Bread for the canteen, October", {
    success_url: "https://shop.example.com/thanks",
  });
  const plan = { line_items: undefined, amount: 9000 };
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const installments = [30, 60, 90].map((days) => ({ amount: 3000, due_at: inDays(days) }));
  const parts = await ask(api, token, "Oven rental", { ...plan, installments });
  const seat = { name: "Seat", quantity: 1, unit_amount: 5900, adjustable_quantity: { minimum: 1, maximum: 6 } };
  const link = await ask(api, token, "Baking course", { type: "product", line_items: [seat], usage_limit: 12 });
  const canceled = await ask(api, token, "Bread for the canteen, September");
  const page = await context.newPage();
  await pay(page, paid);
  const { body } = await api<{ data: { payment_id: string; payment_url: string }[] }>("GET", "/v1/payments", { token });
  const toCancel = body.data.find(({ payment_url }) => payment_url === canceled);
  await api("POST", `/v1/payments/${toCancel?.payment_id}/cancel`, { token, body: {} });
  const targets: Target[] = [
    { name: "pay page, open", url: open, device: "phone" },
    { name: "pay page, paid", url: paid, device: "phone" },
    { name: "pay page, installments", url: parts, device: "phone" },
    { name: "pay page, reusable link", url: link, device: "phone" },
    { name: "pay page, canceled", url: canceled, device: "phone" },
    { name: "pay page, Arabic", url: `${open}?lang=ar`, device: "phone" },
    { name: "receipt", url: `${paid}/receipt`, device: "phone" },
    { name: "sign-in", url: `${server.url}/sign-in`, device: "desktop" },
    { name: "payment requests", url: `${server.url}/dashboard/payment-requests`, device: "desktop" },
  ];
  const browser = await context.newCDPSession(page);
  const faults = new Set<string>();
  const table: Record<string, Figures> = {};
  for (const target of targets) {
    if (target.url.includes("/dashboard/")) await openDashboard(page, server.url);
    const runs: Figures[] = [];
    while (runs.length < runCount) {
      // Measures a first visit, though with the cookie from signing in.
      await browser.send("Network.clearBrowserCache");
      runs.push(await measure(target, port, faults));
    }
    table[`${target.name} (${target.device})`] = medians(runs);
  }
  console.log(`Medians of ${runCount} runs:`);
  console.table(table);
  for (const fault of faults) console.log(`Not met: ${fault}`);
} finally {
  await context.close();
  await server.stop();
}
