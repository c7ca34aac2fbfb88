// The two databases: where the product stores its data, how a baseline gets a copy, and which settings a process needs.
import { randomBytes } from "node:crypto";
import { copyFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { startPostgres } from "../scripts/setup/postgres.mjs";
import { open as openPostgres } from "./baseline/postgres.mjs";
import { open as openSqlite } from "./baseline/sqlite.mjs";

/** SQLite in `folder`, one product process. */
function sqlite(folder) {
  const file = (name) => path.join(folder, `${name}.db`);
  return {
    env: { DATABASE_URL: `file:${file("product")}` },
    open: () => openSqlite(file("product"), { groups: true }),
    beforeMeasuring: async () => {},
    processes: 1,
    groupsCommits: true,
    async copy(name) {
      copyFileSync(file("product"), file(name));
      return file(name);
    },
    /** DATABASE_URL of a copy. */
    urlOf: (copy) => `file:${copy}`,
    stop: async () => {},
  };
}

/** A durable PostgreSQL server. Measured with one product process, and with two that share the database. */
async function postgres() {
  const server = await startPostgres({ isDurable: true });
  const address = (name) => Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  const run = async (text, database = "postgres") => {
    const client = new pg.Client({ connectionString: address(database) });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  await run("create database product");
  return {
    env: { DATABASE_URL: address("product"), SECRET_KEY: randomBytes(32).toString("base64") },
    open: () => openPostgres(address("product")),
    // The server would do this itself a minute later, in the middle of a measurement.
    beforeMeasuring: () => run("vacuum analyze", "product"),
    processes: 2,
    groupsCommits: false,
    async copy(name) {
      await run(`create database ${name} template product`);
      return address(name);
    },
    urlOf: (copy) => copy,
    stop: server.stop,
  };
}

export const engines = { sqlite, postgres };
