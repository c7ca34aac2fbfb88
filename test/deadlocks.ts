// Counts the deadlocks of a race on PostgreSQL.
import pg from "pg";
import type { World } from "./world";

/** Deadlocks that PostgreSQL has found in the world's database, once the processes involved have ended. */
export async function deadlocksIn({ database }: World): Promise<number> {
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query("select deadlocks from pg_stat_database where datname = current_database()");
  await client.end();
  return Number(rows[0].deadlocks);
}
