// Upgrades a database that an earlier version made and serves, while callers use it. Without a new migration, this is a
// restart under load.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { dialect } from "@/db/dialect";
import { verifyLedger } from "@/server/domains/ledger/verify";
import { parseEnv } from "@/server/process/env";
import { loadServerKeys } from "@/server/process/server-key";
import { createTestDatabase } from "@/test/database";
import { runSql } from "@/test/statements";
import { callerOf, expectAcknowledged, startTraffic, type Traffic } from "./traffic";
import { builtRelease, type Server, startServer, thisVersion, type Version } from "./version";

const admin = { email: "ada@example.com", password: "correct horse battery staple" };

const settings = (databaseUrl: string, folder: string) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: folder,
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  ACCESS_TOKEN_TTL: "3h",
  RATE_LIMIT: "0",
  LOG_LEVEL: "info",
});

interface Upgraded {
  /** Rows of all tables before the upgrade. */
  rows: number;
  /** Payment requests that callers went through before, during and after it. */
  lives: number;
  /** How often a caller repeated a request. */
  repeats: number;
}

interface Stage {
  earlier: Version;
  later: Version;
  env: Record<string, string>;
  /** The earlier version's. */
  server: Server;
  accessToken: string;
  load: Load;
}

const ready = "Quittance is ready";
const waiting = "waits until a transaction releases its table";

interface Load {
  /** Rows of all tables before the upgrade, at least. */
  rows: number;
  callers: number;
  /** Lives that callers go through in each phase of the upgrade. */
  phase: number;
}

/**
 * Fills a database through the API of the release that is built in the folder, upgrades it under load, and throws if a
 * request fails, a payment request differs from what was acknowledged, or the ledger is not sound.
 */
export async function upgradeUnderLoad(release: string, load: Load): Promise<Upgraded> {
  const database = await createTestDatabase();
  const [earlier, later] = [builtRelease(release), await thisVersion()];
  const env = settings(database.url, `${earlier.folder}/data`);
  const servers: Server[] = [];
  const start: typeof startServer = async (...given) => {
    const server = await startServer(...given);
    servers.push(server);
    return server;
  };
  try {
    const server = await start(earlier, env);
    await server.wrote(ready);
    const stage = { earlier, later, env, server, accessToken: await signIn(server.url), load };
    const before = await fill(stage, database.url);
    const upgrade = dialect === "sqlite" ? replaceProcess : rollOver;
    const { last, traffic } = await upgrade(stage, start, database.url);
    await expectValidIndices(database.url);
    const call = callerOf({ targets: () => [last.url], accessToken: stage.accessToken, repeats: false });
    const acknowledged = [...before.acknowledged, ...traffic.acknowledged];
    await forEach(acknowledged, load.callers, (one) => expectAcknowledged(call, one));
    await last.stop();
    await expectSound(env);
    return { rows: before.rows, lives: acknowledged.length, repeats: traffic.repeats };
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    for (const version of [earlier, later]) version.remove();
    await database.drop();
  }
}

/** Does this for each of them, for `atOnce` of them at a time: one after the other takes long on PostgreSQL. */
async function forEach<T>(all: readonly T[], atOnce: number, act: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const worker = async () => {
    for (const one of left) await act(one);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(admin),
  });
  const { access_token } = await response.json();
  return access_token;
}

async function fill({ server, accessToken, load: { rows, callers, phase } }: Stage, databaseUrl: string) {
  const traffic = startTraffic({ targets: () => [server.url], accessToken, callers: 4 * callers, repeats: false });
  let count = 0;
  while (count < rows) {
    await traffic.lives(Math.max(phase, Math.ceil((rows - count) / 40)));
    count = await countRows(databaseUrl);
  }
  await traffic.stop();
  return { rows: count, acknowledged: traffic.acknowledged };
}

/** SQLite: the process ends, the next one migrates and serves. Callers repeat what was not answered. */
async function replaceProcess({ later, env, server, accessToken, load }: Stage, start: typeof startServer) {
  const { callers, phase } = load;
  const traffic = startTraffic({ targets: () => [server.url], accessToken, callers, repeats: true });
  await traffic.lives(phase);
  await server.stop();
  const last = await start(later, env, Number(new URL(server.url).port));
  await traffic.lives(phase);
  await traffic.stop();
  return { last, traffic };
}

/**
 * PostgreSQL: the earlier version serves during the whole migration, which a long transaction keeps waiting if it
 * changes a table, and which is killed once; then both serve, then the later one alone. No request is repeated.
 */
async function rollOver(
  { earlier, later, env, server, accessToken, load }: Stage,
  start: typeof startServer,
  databaseUrl: string,
) {
  const { callers, phase } = load;
  let targets = [server.url];
  const traffic = startTraffic({ targets: () => targets, accessToken, callers, repeats: false });
  await traffic.lives(phase);
  const shown = altersTables(earlier, later) ? waiting : ready;
  const last = await migrateDespiteReader({ start: () => start(later, env), shown, traffic, databaseUrl, phase });
  targets = [server.url, last.url];
  await traffic.lives(2 * phase);
  targets = [last.url];
  await traffic.lives(phase);
  await server.stop();
  await traffic.lives(phase);
  await traffic.stop();
  return { last, traffic };
}

/** Whether a migration of the later version that the earlier one lacks changes a table, and so needs its lock. */
function altersTables(earlier: Version, later: Version): boolean {
  const [before, after] = [earlier, later].map(({ folder }) => path.join(folder, "db/migrations", dialect));
  if (before === undefined || after === undefined) return false;
  return readdirSync(after)
    .filter((file) => file.endsWith(".sql") && !existsSync(path.join(before, file)))
    .some((file) => /^alter table/im.test(readFileSync(path.join(after, file), "utf8")));
}

interface Migrating {
  start: () => Promise<Server>;
  /** What the process writes while the reader has its locks. */
  shown: typeof waiting | typeof ready;
  traffic: Traffic;
  databaseUrl: string;
  phase: number;
}

/**
 * Starts the later version while a transaction reads every table, and again after it was killed. Resolves when it serves.
 */
async function migrateDespiteReader({ start, shown, traffic, databaseUrl, phase }: Migrating): Promise<Server> {
  const reader = new pg.Client(databaseUrl);
  await reader.connect();
  try {
    const { rows } = await reader.query(
      "select string_agg(quote_ident(tablename), ', ') as names from pg_tables where schemaname = 'public'",
    );
    await reader.query(`begin; lock table ${rows[0].names} in access share mode; select count(*) from payments`);
    const killed = await start();
    await traffic.during(killed.wrote(shown));
    await traffic.lives(phase);
    await killed.kill();
    const server = await start();
    await traffic.during(server.wrote(shown));
    await traffic.lives(phase);
    await reader.query("commit");
    await traffic.during(server.wrote(ready));
    return server;
  } finally {
    await reader.end();
  }
}

const tables =
  "payments payment_words transactions journals postings ledger_accounts events audit_entries idempotency_keys jobs";

async function countRows(databaseUrl: string): Promise<number> {
  const counts = tables.split(" ").map((table) => `select count(*) as n from ${table}`);
  const rows = await runSql(databaseUrl, counts.join(" union all "));
  return rows.reduce((sum, { n }) => sum + Number(n), 0);
}

async function expectValidIndices(databaseUrl: string): Promise<void> {
  if (dialect === "sqlite") return;
  const invalid = await runSql(databaseUrl, "select indexrelid::regclass as name from pg_index where not indisvalid");
  if (invalid.length > 0) throw new Error(`These indices are not valid: ${JSON.stringify(invalid)}`);
}

async function expectSound(env: Record<string, string>): Promise<void> {
  const parsed = parseEnv(env);
  const proof = await verifyLedger(parsed.databaseUrl, loadServerKeys(parsed));
  if (!proof.ok) throw new Error(`The ledger is not sound: ${JSON.stringify(proof.fault)}`);
}
