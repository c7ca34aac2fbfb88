// How PostgreSQL finds payment requests that expired early: along the index, which a volatile function would prevent.
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openWorld, type World } from "@/test/world";
import { findExpiredEarly } from "./expiry-store";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it("the query reads only the expired payment requests with an update in the future", async () => {
  const queries = vi.spyOn(pg.Pool.prototype, "query");
  expect(await findExpiredEarly(world.runtime.db.read, { now: null, last: "", limit: 10 })).toEqual([]);
  const [query, values] = queries.mock.lastCall as unknown as [{ text: string }, unknown[]];
  queries.mockRestore();
  const client = new pg.Client({ connectionString: world.database.url });
  await client.connect();
  await client.query("set enable_seqscan = off");
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${query.text}`, values);
  await client.end();
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(/Index Cond: \(updated_at > /);
});
