// A fresh database of the engine under test, for one test file.

import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { dialect } from "@/db/dialect";
import { migrateDatabase } from "@/db/migrate";
import { temporaryFolder } from "./temporary-folder";

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Creates a database, `migrated` or empty. */
export async function createTestDatabase({ migrated = false } = {}): Promise<TestDatabase> {
  if (dialect === "sqlite") {
    const folder = temporaryFolder("quittance-test-");
    const file = join(folder, "test.db");
    const url = `file:${file}`;
    if (migrated) writeFileSync(file, await bytesOfMigratedFile());
    return { url, drop: async () => rmSync(folder, { recursive: true, force: true }) };
  }
  const server = process.env.TEST_DATABASE_URL_PG;
  if (!server) throw new Error("TEST_DATABASE_URL_PG must name a PostgreSQL server for the tests.");
  const name = `test_${randomBytes(8).toString("hex")}`;
  const template = migrated ? await templateOn(server) : "template1";
  await onServer(server, async (client) => {
    const { rows } = await client.query("select current_setting('server_version_num')::int >= 150000 as knows");
    // Copying the files is faster than the default of PostgreSQL 15, which copies through the log.
    const strategy = rows[0].knows ? "strategy file_copy" : "";
    await client.query(`create database ${name} template ${template} ${strategy}`);
  });
  const drop = () => onServer(server, (client) => client.query(`drop database ${name} with (force)`));
  return { url: urlOf(server, name), drop: async () => void (await drop()) };
}

let migratedFile: Promise<Buffer> | undefined;

/** The bytes of a migrated SQLite file: writing them takes a fraction of the time that migrating takes. */
function bytesOfMigratedFile(): Promise<Buffer> {
  migratedFile ??= migrateFile();
  return migratedFile;
}

async function migrateFile(): Promise<Buffer> {
  const folder = temporaryFolder("quittance-template-");
  try {
    const file = join(folder, "template.db");
    await migrateDatabase(`file:${file}`);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The name of a migrated database that others are copied from in a fraction of the time. The first test file that needs
 * it creates it. It stays on the server, one for each set of migrations.
 */
async function templateOn(server: string): Promise<string> {
  const name = `template_${checksumOfMigrations()}`;
  await onServer(server, async (client) => {
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount !== 0) return;
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft}`);
    await migrateDatabase(urlOf(server, draft));
    await client.query(`alter database ${draft} rename to ${name}`);
  });
  return name;
}

function checksumOfMigrations(): string {
  const folder = join(process.cwd(), "db/migrations/postgres");
  const hash = createHash("sha256");
  for (const file of readdirSync(folder).sort()) {
    if (file.endsWith(".sql")) hash.update(file).update(readFileSync(join(folder, file)));
  }
  return hash.digest("hex").slice(0, 16);
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
