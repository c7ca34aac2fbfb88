// What a SQLite file that nobody uses contains, read without the product.
import BetterSqlite from "better-sqlite3";

/** Runs a query on the file at `path`. */
export function rowsIn(path: string, sql: string, ...values: unknown[]): Record<string, unknown>[] {
  const connection = new BetterSqlite(path, { readonly: true, fileMustExist: true });
  try {
    return connection.prepare(sql).all(...values) as Record<string, unknown>[];
  } finally {
    connection.close();
  }
}

export const idsIn = (path: string, table: string): Set<string> =>
  new Set(rowsIn(path, `select id from ${table}`).map(({ id }) => String(id)));
