// SQLite's INSERT OR REPLACE skips DELETE triggers unless a setting says otherwise. Our tables refuse it regardless.
import BetterSqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sqlitePath } from "@/db/sqlite";
import { earn } from "@/test/money";
import { openWorld, type World } from "@/test/world";
import { writeSeals } from "../records/seals";
import { writeCheckpoint } from "./checkpoint";

let world: World;
beforeAll(async () => {
  world = await openWorld();
  const { member } = await world.organization();
  await earn(world, member, 100);
  await writeCheckpoint(world.runtime);
  await writeSeals(world.runtime);
});
afterAll(() => world.close());

const tables = ["journals", "postings", "ledger_checkpoints", "ledger_checkpoint_heads", "events", "audit_entries"];

it.each([...tables, "audit_seals", "audit_seal_entries"])("%s refuse REPLACE under any connection settings", (name) => {
  const connection = new BetterSqlite(sqlitePath(world.database.url));
  connection.pragma("recursive_triggers = OFF");
  connection.pragma("foreign_keys = OFF");
  const replace = (columns: string) =>
    connection.prepare(`insert or replace into ${name} (${columns}) select ${columns} from ${name} limit 1`).run();
  const columns = (connection.pragma(`table_info(${name})`) as { name: string }[]).map((column) => column.name);
  expect(() => replace(columns.join(", "))).toThrow(/append-only/);
  expect(() => replace(["rowid", ...columns].join(", "))).toThrow(/append-only/);
  connection.close();
});
