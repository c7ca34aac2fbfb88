// The commands in docs/operating.md that back up and restore PostgreSQL work as they are written.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lastBackup } from "@/server/domains/instance/backup-note";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { openWorld, type World } from "@/test/world";

const root = process.cwd();
const section = /^### PostgreSQL$.*?(?=^### )/ms.exec(readFileSync("docs/operating.md", "utf8"))?.[0] ?? "";
const [dumpScript = "", restoreCommands = ""] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(
  ([, block = ""]) => block,
);

/** The commands start the product's programs from their sources. */
const timeout = 120_000;

let world: World;
let admin: pg.Client;
let folder: string;
let hasTools: boolean;
const role = `docs_${process.pid}`;
beforeAll(async () => {
  world = await openWorld();
  const { admin: user } = await world.organization();
  await world.call(createTransaction, user.actor, { type: "credit", amount: 5, currency: "EUR" });
  admin = new pg.Client({ connectionString: world.database.url });
  await admin.connect();
  await admin.query(`create role ${role} login password 'p&a|ss'`);
  folder = mkdtempSync(path.join(tmpdir(), "quittance-docs-"));
  const [version] = (await admin.query("show server_version_num")).rows;
  hasTools = majorOf("pg_dump") >= Math.floor(version.server_version_num / 10_000);
});
afterAll(async () => {
  const { rows } = await admin.query(
    "select datname from pg_database join pg_roles r on r.oid = datdba where rolname = $1",
    [role],
  );
  for (const { datname } of rows) await admin.query(`drop database ${datname} with (force)`);
  await admin.query(`drop owned by ${role}`);
  await admin.query(`drop role ${role}`);
  await admin.end();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The major version of a tool on this machine; 0 if it is missing. */
const majorOf = (tool: string): number =>
  Number(/\d+/.exec(spawnSync(tool, ["--version"], { encoding: "utf8" }).stdout ?? "")?.[0] ?? 0);

/** Runs commands with the paths of this test in place of those in the text. */
function run(commands: string, replacements: Record<string, string> = {}): string {
  let text = commands;
  for (const [from, to] of Object.entries({
    "/opt/quittance/current": path.join(folder, "current"),
    "/mnt/backups": path.join(folder, "backups"),
    ...replacements,
  })) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  // The product's programs read the other settings from the .env of this repository, not from that of the test.
  const { DATABASE_URL: _, ...inherited } = process.env;
  const env = { ...inherited, SECRET_KEY: Buffer.alloc(32, 7).toString("base64"), DATA_DIR: folder };
  const ended = spawnSync("sh", ["-c", text], { env, encoding: "utf8" });
  expect(ended.status, ended.stdout + ended.stderr).toBe(0);
  return ended.stdout;
}

/** A folder of a version with these settings. Its commands are those of this repository. */
function makeVersion(databaseUrl: string): string {
  const current = path.join(folder, "current");
  mkdirSync(current);
  mkdirSync(path.join(folder, "backups"));
  const scripts = JSON.parse(readFileSync("package.json", "utf8")).scripts as Record<string, string>;
  const here = Object.entries(scripts).map(([name, text]) => [name, text.replaceAll("scripts/", `${root}/scripts/`)]);
  writeFileSync(path.join(current, "package.json"), JSON.stringify({ scripts: Object.fromEntries(here) }));
  const settings = `DATABASE_URL="${databaseUrl}"\nAPP_URL=https://pay.example.com\n`;
  writeFileSync(path.join(current, ".env"), settings, { mode: 0o600 });
  return current;
}

const addressOf = (user: string): string => {
  const url = new URL(world.database.url);
  [url.username, url.password] = [user, encodeURIComponent("p&a|ss")];
  return url.href;
};

it("are valid for the shell, and name every step", () => {
  for (const commands of [dumpScript, restoreCommands]) {
    const { status, stderr } = spawnSync("sh", ["-n"], { input: commands, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    expect(commands).toContain("set -eu");
  }
  const steps = [
    "createdb",
    "pg_restore",
    "npm run migrate",
    "npm run verify:ledger",
    "npm run cli -- restored",
    "> .env",
  ];
  const places = steps.map((step) => restoreCommands.indexOf(step));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

it(
  "make a checked dump, or none, and restore it with a role without rights on the server",
  async ({ skip }) => {
    if (!hasTools) skip("pg_dump is missing here, or older than the server");
    await admin.query(`grant usage on schema drizzle to ${role}`);
    for (const kind of ["tables", "sequences"]) {
      await admin.query(`grant select on all ${kind} in schema public, drizzle to ${role}`);
    }
    const current = makeVersion(addressOf(role));
    const dumps = () => readdirSync(path.join(folder, "backups"));
    expect(() => run(dumpScript, { '"$url"': "postgres://127.0.0.1:1/none" })).toThrow("connection to server");
    expect(dumps().filter((name) => name.endsWith(".dump"))).toEqual([]);
    // The command would read the address from the .env of this repository.
    run(dumpScript, { "npm run cli": 'DATABASE_URL="$url" npm run cli' });
    const [dump = ""] = dumps().filter((name) => name.endsWith(".dump"));
    expect(dump).toMatch(/^quittance-\d{8}T\d{6}Z\.dump$/);
    const dumped = path.join(folder, "backups", dump);
    const noted = { file: dumped, bytes: statSync(dumped).size, isProved: false };
    expect(lastBackup({ dataDir: folder, databaseUrl: addressOf(role) })).toMatchObject(noted);

    const printed = run(restoreCommands, {
      "postgres://postgres:password@host/postgres": process.env.TEST_DATABASE_URL_PG ?? "",
      "quittance-20261122T163000Z.dump": dump,
      // There is no terminal to answer on.
      "npm run cli -- restored": "npm run cli -- restored --yes",
    });
    expect(printed).toContain("The ledger is sound: 2 postings");
    const settings = readFileSync(path.join(current, ".env"), "utf8");
    const [, restored = ""] = /^DATABASE_URL=(.*)$/m.exec(settings) ?? [];
    expect(settings.match(/^DATABASE_URL=/gm)).toHaveLength(1);
    expect((statSync(path.join(current, ".env")).mode & 0o777).toString(8)).toBe("600");
    expect(restored).not.toBe(addressOf(role));
    const client = new pg.Client({ connectionString: restored });
    await client.connect();
    const restores = "select detail from audit_entries where operation = 'database.restore'";
    expect((await client.query(restores)).rows).toHaveLength(1);
    await client.end();
    expect((await admin.query(restores)).rows).toEqual([]);
  },
  timeout,
);
