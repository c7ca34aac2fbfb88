// Prepares a run: a database made by the product, filled, copied for the baselines, and all servers running.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { seed } from "./seed.mjs";
import { startBaseline, startByNpm, startProduct, stop } from "./servers.mjs";

const admin = { email: "bench@example.com", password: "a long enough passphrase" };
const json = { "Content-Type": "application/json" };

/** Starts all servers. Resolves to them as targets, and to the durations of the first and the second start. */
export async function prepare({ engine, folder, product, rows, isWorkerApart, pools = [], say }) {
  const settings = { folder: product, env: environment(engine, folder) };
  // Its polling would mix with the statements of requests.
  if (isWorkerApart) settings.env.WORKER = "apart";
  const { given, page, firstStartMs } = await fill({ engine, settings, seedOf: seed, rows, say });
  if (pools.length > 0) return { targets: { products: await startPools(pools, settings, given) }, firstStartMs };
  const copy = { BASELINE_DATABASE: await engine.copy("baseline"), BASELINE_PAY_PAGE: path.join(folder, "page.html") };
  writeFileSync(copy.BASELINE_PAY_PAGE, page.html);
  const ungrouped = engine.groupsCommits && { ...copy, BASELINE_DATABASE: await engine.copy("ungrouped") };

  say("starting everything");
  const secondStartMs = await timeStarts(settings);
  const servers = {
    baseline: await startBaseline("baseline", copy),
    single: ungrouped && (await startBaseline("one commit per request", { ...ungrouped, BASELINE_GROUPS: "no" })),
    processes: [],
  };
  for (let n = 1; n <= engine.processes; n++) servers.processes.push(await startProduct(`product ${n}`, settings));
  const lastCursor = await findLastPage(servers.processes[0].url, given.accessToken);
  return { targets: targetsOf(servers, { ...given, lastCursor }), firstStartMs, secondStartMs };
}

/**
 * A database made by the product and filled by its own commit's seed, and everything that requests to it need to know. The
 * seed of an older commit knows the columns of its time.
 */
export async function fill({ engine, settings, seedOf, rows, say }) {
  const first = await startProduct("first start", settings);
  const page = await requestPage(first.url);
  await stop(first);
  say(`filling a database with ${rows} transactions`);
  const db = await engine.open();
  const seeded = await seedOf(db, rows);
  await db.close();
  await engine.beforeMeasuring();
  return { given: { ...seeded, payPath: page.path, password: admin.password }, page, firstStartMs: first.startMs };
}

/** A product process for each size of the pool, all on one database. */
async function startPools(sizes, { env, ...settings }, given) {
  const targets = [];
  for (const size of sizes) {
    const name = `DATABASE_POOL=${size}`;
    const servers = [await startProduct(name, { ...settings, env: { ...env, DATABASE_POOL: String(size) } })];
    targets.push({ ...given, name, servers });
  }
  return targets;
}

export const environment = (engine, folder) => ({
  ...engine.env,
  DATA_DIR: folder,
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  // The limits are counted but never reached.
  LOG_LEVEL: "warn",
  RATE_LIMIT: "1000000",
  LOGIN_FAILURES_PER_IP: "100000",
  LOGIN_FAILURES_PER_USER_AND_IP: "100000",
  LOGINS_PER_USER: "100000",
  PASSWORDS_PER_IP: "1000",
});

/** The median of three starts of a built and filled product. */
async function timeStarts(settings) {
  const times = [];
  for (let n = 0; n < 3; n++) {
    const server = await startByNpm(settings);
    times.push(server.startMs);
    await stop(server);
  }
  return times.sort((a, b) => a - b)[1];
}

/** The targets: a name, one or more servers on one database, and what requests need to know about that database. */
function targetsOf({ baseline, single, processes }, given) {
  // Refresh tokens work once in each database.
  const target = (servers, name = servers[0].name, refreshTokens = [...given.refreshTokens]) => ({
    ...given,
    name,
    servers,
    refreshTokens,
  });
  const alone = target(processes.slice(0, 1), "product");
  const together = target(processes, `${processes.length} processes`, alone.refreshTokens);
  return {
    baseline: target([baseline]),
    single: single && target([single]),
    products: processes.length > 1 ? [alone, together] : [alone],
  };
}

/** Creates a payment request and returns its page. */
async function requestPage(url) {
  const post = (to, headers, body) => fetch(url + to, { method: "POST", headers, body: JSON.stringify(body) });
  const { access_token } = await (await post("/v1/auth/login", json, admin)).json();
  const headers = { ...json, Authorization: `Bearer ${access_token}` };
  const request = { type: "product", amount: 1250, currency: "EUR", description: "Two coffees" };
  const { payment_url } = await (await post("/v1/payments", headers, request)).json();
  const { pathname } = new URL(payment_url);
  return { path: pathname, html: await (await fetch(url + pathname)).text() };
}

/** The cursor of the last twenty in the list by status and type. */
export async function findLastPage(url, accessToken) {
  const headers = { Authorization: `Bearer ${accessToken}` };
  const list = `${url}/v1/transactions?status=succeeded&type=payment`;
  const next = async (limit, cursor) => {
    const response = await fetch(`${list}&limit=${limit}${cursor ? `&cursor=${cursor}` : ""}`, { headers });
    return (await response.json()).next_cursor;
  };
  const walk = async (limit, from) => {
    let [before, cursor] = [from, from];
    for (let after = from; after; after = await next(limit, cursor)) [before, cursor] = [cursor, after];
    return { before, cursor };
  };
  // In large steps to the last hundred or fewer, then in pages of twenty.
  const { before } = await walk(100, await next(100, null));
  return (await walk(20, before)).cursor;
}
