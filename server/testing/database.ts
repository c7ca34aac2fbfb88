// A fresh, migrated database of the engine under test, for one test file.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { dialect } from "@/db/dialect";

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Makes an empty database; migrating it is the runtime's part. */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (dialect === "sqlite") {
    const folder = mkdtempSync(join(tmpdir(), "quittance-test-"));
    return {
      url: `file:${join(folder, "test.db")}`,
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  const server = process.env.TEST_DATABASE_URL_PG;
  if (!server) throw new Error("TEST_DATABASE_URL_PG must name a PostgreSQL server for the tests.");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `drop database ${name} with (force)`) };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
