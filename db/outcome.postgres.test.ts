// The outcome of a lost COMMIT: for an ordinary role, on a server that hides it, and on one that has crashed since.
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { openPostgresProxy, type PostgresProxy } from "@/test/postgres-proxy";
import { type Database, openDatabase } from "./client";
import { DatabaseUnavailable } from "./errors";
import { migrateDatabase } from "./migrate";
import { beginMarked, outcomeOf } from "./outcome";
import { organizations } from "./tables";

/** Owns its database and has no other rights, like the role of a managed server. */
const role = `owner_${randomBytes(8).toString("hex")}`;
let fixture: TestDatabase;
let operator: pg.Client;
let url: string;
let proxy: PostgresProxy;
let db: Database;
beforeAll(async () => {
  fixture = await createTestDatabase();
  operator = new pg.Client(fixture.url);
  await operator.connect();
  await operator.query(`create role ${role} login password 'known' nosuperuser nocreatedb nocreaterole`);
  const own = new URL(fixture.url);
  await operator.query(`alter database ${own.pathname.slice(1)} owner to ${role}`);
  await operator.query(`alter schema public owner to ${role}`);
  own.username = role;
  own.password = "known";
  url = own.href;
  await migrateDatabase(url);
});
afterAll(async () => {
  await operator.end();
  await fixture.drop();
  const server = new pg.Client(process.env.TEST_DATABASE_URL_PG);
  await server.connect();
  await server.query(`drop role ${role}`);
  await server.end();
});
beforeEach(async () => {
  proxy = await openPostgresProxy(url);
  db = await openDatabase({ url: proxy.url, connections: 4 });
});
afterEach(async () => {
  await db.close();
  await proxy.close();
});

let count = 0;
const newId = () => `org_${++count}`;
const insert = (id: string) =>
  db.write((tx) => tx.insert(organizations).values({ id, name: "x", mode: "sandbox", createdAt: 1 }));
const isThere = async (id: string) =>
  (await operator.query("select from organizations where id = $1", [id])).rowCount === 1;

test("an ordinary role finds that a lost COMMIT succeeded", async () => {
  const id = newId();
  proxy.cutNextCommit("after");
  await insert(id);
  expect(await isThere(id)).toBe(true);
});

test.each(["before", "unnoticed"] as const)(
  "an ordinary role finds that a lost COMMIT failed (cut %s)",
  async (cut) => {
    const id = newId();
    proxy.cutNextCommit(cut);
    await expect(insert(id)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await isThere(id)).toBe(false);
    await insert(id);
  },
);

test.each(["pg_walfile_name(pg_lsn)", "pg_current_wal_lsn()", "pg_current_xact_id()", "pg_xact_status(xid8)"])(
  "a server without %s takes writes, and a lost COMMIT is unavailable",
  async (name) => {
    await operator.query(`revoke execute on function ${name} from public`);
    try {
      await insert(newId());
      const id = newId();
      proxy.cutNextCommit("after");
      const lost: unknown = await insert(id).catch((error: unknown) => error);
      expect(lost).toBeInstanceOf(DatabaseUnavailable);
      expect(String((lost as Error).cause)).toContain("Connection terminated");
      expect(await isThere(id)).toBe(true);
    } finally {
      await operator.query(`grant execute on function ${name} to public`);
    }
  },
);

test("a transaction number is not trusted after a crash, which may reuse it", async () => {
  const pool = new pg.Pool({ connectionString: url });
  // The database may be dropped before the connection of the pool has closed.
  pool.on("error", () => {});
  const client = await pool.connect();
  const mark = await beginMarked(client);
  await client.query("commit");
  client.release();
  if (!mark) throw new Error("The transaction has no mark.");
  expect(await outcomeOf(mark, pool)).toBe("committed");
  const [timeline] = mark.server.split(" ");
  expect(await outcomeOf({ ...mark, server: `${timeline} 1000000000.000000` }, pool)).toBe("unknown");
  await pool.end();
});
