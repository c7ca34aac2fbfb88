// The proof's own database access: one consistent snapshot, plain SQL, every number as a bigint.
import pg from "pg";
import { connectSqlite, sqlitePath } from "@/db/sqlite";

/** A value as the proof reads it. */
type Value = string | bigint | null;
export type Row = Record<string, Value>;

export interface Snapshot {
  engine: "sqlite" | "postgres";
  /** Runs a query with `?` for parameters. */
  rows(sql: string, values?: readonly Value[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Most rows of one query, so that memory stays flat regardless of the ledger's size. */
export const pageSize = 1000;

/** Opens a snapshot: everything read from it is the state of one instant. */
export async function openSnapshot(databaseUrl: string): Promise<Snapshot> {
  return /^postgres(ql)?:\/\//.test(databaseUrl) ? openPostgres(databaseUrl) : openSqlite(databaseUrl);
}

function openSqlite(url: string): Snapshot {
  const connection = connectSqlite(sqlitePath(url), true);
  connection.defaultSafeIntegers(true);
  connection.exec("BEGIN");
  return {
    engine: "sqlite",
    async rows(sql, values = []) {
      // This engine runs on the calling thread, so other work gets a turn between two pages.
      await new Promise((resume) => setImmediate(resume));
      return connection.prepare(sql).all(...values) as Row[];
    },
    async close() {
      connection.close();
    },
  };
}

/** The PostgreSQL types of integers: int8, int4, int2, and numeric for sums. */
const wholeNumbers = [20, 23, 21, 1700];

async function openPostgres(url: string): Promise<Snapshot> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    types: {
      getTypeParser: (oid, format) => (wholeNumbers.includes(oid) ? BigInt : pg.types.getTypeParser(oid, format)),
    },
  });
  // An unhandled error would end the process. The next query fails on a connection that was lost.
  client.on("error", () => {});
  await client.connect();
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  return {
    engine: "postgres",
    async rows(sql, values = []) {
      let number = 0;
      const result = await client.query<Row>(
        sql.replace(/\?/g, () => `$${++number}`),
        [...values],
      );
      return result.rows;
    },
    close: () => client.end(),
  };
}

/**
 * Every row of a query that is ordered by a key and limited to a page. `keyOf` returns the values after which the next
 * page starts.
 */
export async function* everyRow(
  snapshot: Snapshot,
  sql: string,
  start: readonly Value[],
  keyOf: (row: Row) => Value[],
): AsyncGenerator<Row> {
  for (let key: readonly Value[] = start; ; ) {
    const rows = await snapshot.rows(`${sql} limit ${pageSize}`, key);
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < pageSize || !last) return;
    key = keyOf(last);
  }
}

/** Groups rows by the text in one of their columns. */
export function grouped(rows: readonly Row[], column: string): ReadonlyMap<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = String(row[column]);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
