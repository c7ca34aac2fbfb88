// Migrations on SQLite: each in one transaction, before the process serves anyone.
import type { Database as Connection } from "better-sqlite3";
import { type Migration, missingOf } from "./migration-files";
import { whileInPlace } from "./replace-file";
import { connectSqlite, databaseFile } from "./sqlite";

/** Recorded in the table that drizzle's own migrator uses. */
const bookkeeping = `create table if not exists __drizzle_migrations (
  id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`;

export async function migrateSqlite(
  url: string,
  migrations: readonly Migration[],
  report: (sentence: string) => void,
): Promise<void> {
  const path = databaseFile(url);
  await whileInPlace(path, () => {
    const connection = connectSqlite(path);
    try {
      connection.exec(bookkeeping);
      for (const migration of missingOf(migrations, recordedIn(connection))) {
        report(`applying migration ${migration.tag}`);
        apply(connection, migration);
      }
    } finally {
      connection.close();
    }
  });
}

/** Which migrations the database records, by `when`. */
export const recordedIn = (connection: Connection): number[] =>
  connection.prepare("select created_at from __drizzle_migrations").pluck().all().map(Number);

function apply(connection: Connection, { when, hash, statements }: Migration): void {
  connection
    .transaction(() => {
      for (const statement of statements) connection.exec(statement);
      connection.prepare("insert into __drizzle_migrations (hash, created_at) values (?, ?)").run(hash, when);
    })
    .immediate();
}
