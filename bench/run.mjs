// Loads the product and a bare node:http server on this machine, one after the other, and prints both and their ratio.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), "quittance-bench-"));
const seconds = Number(process.env.BENCH_SECONDS ?? 8);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const admin = { email: "bench@example.com", password: "a long enough passphrase" };
const children = [];

function start(command, args, env, ready) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const found = ready.exec(text);
      if (found) resolve(found[1]);
    });
    child.on("exit", (code) => reject(new Error(`${command} ${args.join(" ")} ended with ${code}`)));
  });
}

async function load(options) {
  const { stdout } = await run(process.execPath, [
    "bench/load.mjs",
    JSON.stringify({ seconds, connections: 50, ...options }),
  ]);
  const result = JSON.parse(stdout);
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return { perSecond: result["2xx"] / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}

const json = { "Content-Type": "application/json" };
const call = async (url, init) => (await fetch(url, init)).json();

async function startProduct() {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const env = {
    PORT: String(port),
    DATABASE_URL: process.env.BENCH_DATABASE_URL ?? `file:${path.join(folder, "product.db")}`,
    DATA_DIR: folder,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: "warn",
    RATE_LIMIT: "1000000",
  };
  await start(process.execPath, ["dist/main.js"], env, /(ready)/);
  const url = `http://127.0.0.1:${port}`;
  const { access_token } = await call(`${url}/v1/auth/login`, {
    method: "POST",
    headers: json,
    body: JSON.stringify(admin),
  });
  return { url, headers: { ...json, Authorization: `Bearer ${access_token}` } };
}

const payment = JSON.stringify({
  type: "payment",
  amount: 1250,
  currency: "EUR",
  description: "Bench",
  metadata: { order: "A-1" },
});

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

try {
  const bareUrl = `http://127.0.0.1:${await start(process.execPath, ["bench/bare.mjs", path.join(folder, "bare.db")], {}, /(\d+)\n/)}`;
  const product = await startProduct();
  const targets = {};
  for (const [name, { url, headers }] of Object.entries({ bare: { url: bareUrl, headers: json }, product })) {
    const { transaction_id } = await call(`${url}/v1/transactions`, { method: "POST", headers, body: payment });
    targets[name] = { url, headers, transaction_id };
  }
  const cases = {
    "retrieve a transaction": ({ url, headers, transaction_id }) => ({
      url: `${url}/v1/transactions/${transaction_id}`,
      method: "GET",
      headers,
    }),
    "create a transaction": ({ url, headers }) => ({
      url: `${url}/v1/transactions`,
      method: "POST",
      headers,
      body: payment,
      hasKeys: true,
    }),
  };
  console.log(`${seconds} s a load, ${rounds} rounds, 50 connections, medians; requests per second (p50 / p99 ms)`);
  for (const [name, request] of Object.entries(cases)) {
    const results = { bare: [], product: [] };
    for (let round = 0; round < rounds; round++) {
      for (const who of ["bare", "product"]) results[who].push(await load(request(targets[who])));
    }
    const of = (who, what) => median(results[who].map((result) => result[what]));
    const ratio = median(results.product.map((result, i) => result.perSecond / results.bare[i].perSecond));
    const show = (who) => `${Math.round(of(who, "perSecond"))} (${of(who, "p50")} / ${of(who, "p99")})`;
    console.log(`${name}: bare ${show("bare")}, product ${show("product")}, ratio ${ratio.toFixed(2)}`);
  }
} finally {
  for (const child of children) {
    child.removeAllListeners("exit");
    child.kill("SIGKILL");
  }
  rmSync(folder, { recursive: true, force: true });
}
