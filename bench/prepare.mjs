// Sets the scene: a database that the product made, filled, copied for the baselines, and all servers running on theirs.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { seed } from "./seed.mjs";
import { startBaseline, startByNpm, startProduct, stop } from "./servers.mjs";

const admin = { email: "bench@example.com", password: "a long enough passphrase" };
const json = { "Content-Type": "application/json" };

/** Starts all servers. Resolves to them as targets, and to how long the first and the second start took. */
export async function prepare({ engine, folder, product, rows, say }) {
  const env = {
    ...engine.env,
    ...{ DATA_DIR: folder, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
    // The limits count, but nobody reaches them.
    ...{ LOG_LEVEL: "warn", RATE_LIMIT: "1000000", LOGIN_FAILURES_PER_IP: "100000" },
  };
  const settings = { folder: product, env };
  const first = await startProduct("first start", settings);
  const page = await requestPage(first.url);
  await stop(first);

  say(`filling the database with ${rows} transactions`);
  const open = await import(
    engine.address.startsWith("postgres") ? "./baseline/postgres.mjs" : "./baseline/sqlite.mjs"
  );
  const db = open.open(engine.address, { groups: true });
  const seeded = await seed(db, rows);
  await db.close();
  const payPage = path.join(folder, "pay-page.html");
  writeFileSync(payPage, page.html);
  const baselineEnv = async (name) => ({ BASELINE_DATABASE: await engine.copy(name), BASELINE_PAY_PAGE: payPage });
  const [groupedEnv, singleEnv] = [await baselineEnv("baseline"), await baselineEnv("single_commits")];

  say("second start");
  const second = await startByNpm(settings);
  await stop(second);

  const baseline = await startBaseline("baseline", groupedEnv);
  const single = await startBaseline("one commit per request", { ...singleEnv, BASELINE_GROUPS: "no" });
  const processes = [];
  for (let n = 1; n <= engine.processes; n++) processes.push(await startProduct(`product ${n}`, settings));
  const given = { ...seeded, payPath: page.path, password: admin.password };
  given.lastCursor = await findLastPage(processes[0].url, given.accessToken);
  const target = (name, servers) => ({ ...given, name, servers, refreshTokens: given.refreshTokens.slice() });
  const targets = { baseline: target("baseline", [baseline]), single: target("one commit per request", [single]) };
  // Processes share their database, so that no token may be handed to both.
  const shared = given.refreshTokens.slice();
  targets.products = processes.map((_, n) => ({
    ...target(n === 0 ? "product" : `${n + 1} processes`, processes.slice(0, n + 1)),
    refreshTokens: shared,
  }));
  return { targets, firstStartMs: first.startMs, secondStartMs: second.startMs };
}

/** Makes a payment request and gives its page. */
async function requestPage(url) {
  const post = (to, headers, body) => fetch(url + to, { method: "POST", headers, body: JSON.stringify(body) });
  const { access_token } = await (await post("/v1/auth/login", json, admin)).json();
  const headers = { ...json, Authorization: `Bearer ${access_token}` };
  const request = { type: "product", amount: 1250, currency: "EUR", description: "Two coffees" };
  const { payment_url } = await (await post("/v1/payments", headers, request)).json();
  const { pathname } = new URL(payment_url);
  return { path: pathname, html: await (await fetch(url + pathname)).text() };
}

/** The cursor of the last twenty that the list by status and type has. */
async function findLastPage(url, accessToken) {
  const headers = { Authorization: `Bearer ${accessToken}` };
  const list = `${url}/v1/transactions?status=succeeded&type=payment&limit=`;
  const next = async (limit, cursor) =>
    (await (await fetch(`${list}${limit}${cursor ? `&cursor=${cursor}` : ""}`, { headers })).json()).next_cursor;
  const walk = async (limit, from) => {
    let [before, cursor] = [from, from];
    for (let after = await next(limit, cursor); after; after = await next(limit, cursor))
      [before, cursor] = [cursor, after];
    return { before, cursor };
  };
  const { before } = await walk(100, null);
  return (await walk(20, before)).cursor;
}
