// Runs SQL on a test's database over a separate connection.
import BetterSqlite from "better-sqlite3";
import pg from "pg";
import { dialect } from "@/db/dialect";
import { sqlitePath } from "@/db/sqlite";

/** Runs one statement and resolves to its rows. */
export async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
  if (dialect === "sqlite") {
    const connection = new BetterSqlite(sqlitePath(url));
    try {
      const statement = connection.prepare(sql);
      if (statement.reader) return statement.all() as Record<string, unknown>[];
      statement.run();
      return [];
    } finally {
      connection.close();
    }
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
