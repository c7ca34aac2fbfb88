// npm run bench:pages [-- --product <folder>]: processor time of the dashboard's first pages, with the demo's data.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { chromium } from "playwright";
import { findBrowser } from "../scripts/setup/browser.mjs";
import { prepare } from "../scripts/setup/prepare.mjs";
import { root } from "../scripts/setup/project.mjs";
import { startProduct, stop, stopAll, usageOf } from "./servers.mjs";

const { values: options } = parseArgs({
  options: {
    /** Another built checkout to compare with, such as an older commit. */
    product: { type: "string" },
  },
});

const rounds = 12;
const perRound = 20;
const warmUp = 60;
const admin = { email: "ada@harbour-bakery.example", password: "fresh rolls at seven o'clock" };
/** Pages by the names of their links in the menu. */
const pages = { Transactions: "transactions", "Payment requests": "payment-requests", Accounts: "accounts" };
const run = promisify(execFile);
const say = (text) => console.error(`[bench] ${text}`);

/** Starts the product as built in `folder`, on 90 days of the demo's business. */
async function startDemo(name, folder, data) {
  const { PATH, HOME } = process.env;
  const env = {
    DATABASE_URL: `file:${path.join(data, "demo.db")}`,
    DATA_DIR: data,
    RATE_LIMIT: "0",
    LOG_LEVEL: "warn",
  };
  const fillEnv = { PATH, HOME, ...env, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };
  await run(process.execPath, ["--import", "tsx", "scripts/demo/fill.ts"], { cwd: folder, env: fillEnv });
  return startProduct(name, { folder, env });
}

/** The requests that a signed-in browser sends for each page: the document, and the one for a click in the menu. */
async function requestsOf({ url }, browser) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("E-mail").fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/dashboard");
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const requests = [];
  for (const [name, segment] of Object.entries(pages)) {
    await page.goto(`${url}/dashboard`);
    const [clicked] = await Promise.all([
      page.waitForRequest((request) => request.url().includes(`/${segment}?_rsc`)),
      page.getByRole("navigation").getByRole("link", { name, exact: true }).first().click(),
    ]);
    const headers = Object.entries(clicked.headers()).filter(([header]) => /^(rsc|next-)/.test(header));
    const { pathname, search } = new URL(clicked.url());
    requests.push({
      title: `${name}, by a click`,
      path: pathname + search,
      headers: { cookie, ...Object.fromEntries(headers) },
    });
    requests.push({ title: `${name}, the document`, path: pathname, headers: { cookie } });
  }
  await context.close();
  return requests;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Requests a page `count` times, one after the other. Resolves to the bytes of one answer. */
async function ask(url, { path: target, headers }, count) {
  let bytes = 0;
  for (let i = 0; i < count; i++) {
    bytes = await new Promise((resolve, reject) => {
      const request = get(url + target, { agent, headers: { ...headers, "accept-encoding": "gzip" } }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${target} answered ${response.statusCode}.`));
        let size = 0;
        response.on("data", (chunk) => {
          size += chunk.length;
        });
        response.on("end", () => resolve(size));
      });
      request.on("error", reject);
    });
  }
  return bytes;
}

/** Milliseconds of processor time for one answer. */
async function cpuOf(server, request) {
  const before = await usageOf(server);
  await ask(server.url, request, perRound);
  const after = await usageOf(server);
  return (after.cpuMicroseconds - before.cpuMicroseconds) / 1000 / perRound;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function main() {
  const folders = [root, ...(options.product ? [path.resolve(options.product)] : [])];
  await prepare({ needsBuild: true });
  const executablePath = await findBrowser(Promise.resolve());
  const data = folders.map(() => mkdtempSync(path.join(tmpdir(), "quittance-pages-")));
  const browser = await chromium.launch({ args: ["--no-sandbox"], ...(executablePath ? { executablePath } : {}) });
  try {
    say("90 days of business for each product");
    const servers = [];
    for (const [index, folder] of folders.entries()) servers.push(await startDemo(folder, folder, data[index]));
    const requests = [];
    for (const server of servers) requests.push(await requestsOf(server, browser));
    await browser.close();
    for (const [index, { title }] of requests[0].entries())
      await compare(
        title,
        servers,
        requests.map((all) => all[index]),
      );
    for (const server of servers) await stop(server);
  } finally {
    await browser.close();
    for (const folder of data) rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures the servers in turn, and prints the medians. */
async function compare(title, servers, requests) {
  const bytes = [];
  for (const [index, server] of servers.entries()) bytes.push(await ask(server.url, requests[index], warmUp));
  const figures = servers.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, server] of servers.entries()) figures[index].push(await cpuOf(server, requests[index]));
  }
  const texts = figures.map((each, index) => `${median(each).toFixed(1)} ms, ${(bytes[index] / 1024).toFixed(1)} KiB`);
  const ratio = figures[1]
    ? `  ratio ${median(figures[0].map((own, round) => own / figures[1][round])).toFixed(2)}`
    : "";
  console.log(`${title.padEnd(32)} ${texts.join("  against  ")}${ratio}`);
}

process.once("exit", stopAll);
await main();
