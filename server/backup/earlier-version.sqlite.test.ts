// Databases and backups of an earlier version: this version has a migration that they lack.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { schemaVersionOf } from "@/db/schema-version";
import { sqlitePath } from "@/db/sqlite";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { ask } from "@/test/payer";
import { openWorld, type World } from "@/test/world";
import { makeBackup } from "./make";
import { restoreBackup } from "./restore";

const version = vi.hoisted(() => ({ isLater: false }));
vi.mock("@/db/migration-files", async (original) => {
  const actual = await original<typeof import("@/db/migration-files")>();
  const later = { tag: "0001_later", when: 9_999_999_999_999, hash: "later", statements: ["create table later (n)"] };
  return {
    ...actual,
    readMigrations: (folder: string) => [...actual.readMigrations(folder), ...(version.isLater ? [later] : [])],
  };
});

let world: World;
let folder: string;
let backup: string;
let target: TestDatabase;
beforeEach(async () => {
  version.isLater = false;
  world = await openWorld();
  await ask(world, (await world.organization()).member.actor);
  folder = mkdtempSync(path.join(tmpdir(), "quittance-earlier-"));
  backup = (await makeBackup(env(), path.join(folder, "backups"), "manual", Date.now())).file;
  target = await createTestDatabase({ migrated: true });
  version.isLater = true;
});
afterEach(async () => {
  await target.drop();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const env = (databaseUrl = world.runtime.env.databaseUrl) => ({ ...world.runtime.env, dataDir: folder, databaseUrl });
const restore = (from: string) => restoreBackup(env(target.url), from, { keepSessions: false });

it("a backup is restored and migrated, and itself stays as it was", async () => {
  expect(schemaVersionOf(backup)).toBe("older");
  expect((await restore(backup)).isMigrated).toBe(true);
  expect(schemaVersionOf(sqlitePath(target.url))).toBe("current");
  expect(schemaVersionOf(backup)).toBe("older");
});

it("a database is not backed up by this version, which cannot prove it", async () => {
  const others = path.join(folder, "others");
  await expect(makeBackup(env(), others, "manual", Date.now())).rejects.toThrow("earlier version");
  expect(readdirSync(others)).toEqual([]);
});
