// How SQLite plans the search of accounts by e-mail address: along an index, however many accounts there are.
import BetterSqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sqlitePath } from "@/db/sqlite";
import { openWorld, type World } from "@/test/world";
import { listAccounts } from "./operations/list";

/** Set before any connection opens, since each connection keeps its own copy of this function. */
const prepare = vi.spyOn(BetterSqlite.prototype, "prepare");

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it("accounts with an address are found by its index, in list order", async () => {
  const org = await world.organization();
  prepare.mockClear();
  await world.call(listAccounts, org.admin.actor, { email: "office@example.com" });
  const texts = prepare.mock.calls.map(([text]) => text).filter((text) => /"email_key" = \?/.test(text));
  expect(texts.length).toBeGreaterThan(0);
  const connection = new BetterSqlite(sqlitePath(world.database.url), { readonly: true });
  for (const text of texts) {
    const plan = connection.prepare(`explain query plan ${text}`).all(...Array(text.split("?").length - 1).fill("1"));
    const steps = plan.map((step) => (step as { detail: string }).detail).join("\n");
    expect(steps).toMatch(/USING (COVERING )?INDEX accounts_email /);
    expect(steps).not.toContain("TEMP B-TREE");
  }
  connection.close();
});
