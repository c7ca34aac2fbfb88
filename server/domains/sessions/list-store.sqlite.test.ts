// How SQLite finds when users were last seen: by an index, however many sessions they have had.
import BetterSqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sqlitePath } from "@/db/sqlite";
import { openWorld, type World } from "@/test/world";
import { lastUses } from "./list-store";

/** Set before any connection opens, since each connection keeps its own copy of this function. */
const prepare = vi.spyOn(BetterSqlite.prototype, "prepare");

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it("the latest ended session of a user is read without the others", async () => {
  const org = await world.organization();
  const scope = { organizationId: org.id, ownerUserId: null, accountId: null };
  await lastUses(world.runtime.db.read, scope, [org.member.id]);
  const [query = ""] = prepare.mock.calls.map(([text]) => text).filter((text) => text.includes('max("last_seen_at")'));
  const connection = new BetterSqlite(sqlitePath(world.database.url), { readonly: true });
  const plan = connection.prepare(`explain query plan ${query}`).all(...Array(query.split("?").length - 1).fill("1"));
  connection.close();
  expect(JSON.stringify(plan)).toMatch(/SEARCH sessions USING (COVERING )?INDEX sessions_last_seen \(user_id=\?\)/);
});
