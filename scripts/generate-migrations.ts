// Writes the migrations of an engine: the initial one until a version is released, and then one for each change.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  type DrizzleSnapshotJSON,
  type DrizzleSQLiteSnapshotJSON,
  generateDrizzleJson,
  generateMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from "drizzle-kit/api";
import { postgres, sqlite } from "@/db/columns";
import { buildTables } from "@/db/schema/build";

type Engine = "sqlite" | "postgres";
export const engines: readonly Engine[] = ["sqlite", "postgres"];

interface Journal {
  entries: { tag: string; when: number }[];
}

/** Where an engine's migrations are, in the folder of all engines. */
export function filesOf(engine: Engine, folder = "db/migrations") {
  const own = path.join(folder, engine);
  return {
    folder: own,
    sql: (tag: string) => path.join(own, `${tag}.sql`),
    journal: path.join(own, "meta/_journal.json"),
    /** The released schema, to which a change is compared. It exists once a version is released. */
    snapshot: path.join(own, "meta/snapshot.json"),
  };
}

/** Whether the initial migration is final. */
export const isReleased = (): boolean => existsSync(filesOf("sqlite").snapshot);

const initialTag = "0000_initial";

/** The initial migration and its journal. The same schema and triggers always give the same files. */
async function initialMigration(engine: Engine): Promise<{ sql: string; journal: string }> {
  const triggers = readFileSync(`db/triggers/${engine}.sql`, "utf8");
  const statements = (await statementsFrom(engine, null)).map((statement) => finish[engine](statement).trim());
  const header = "-- Generated from db/schema and db/triggers by npm run db:generate.";
  const sql = [header, ...statements, "", triggers].join("\n");
  return { sql, journal: json({ entries: [{ tag: initialTag, when: numberOf(sql) }] }) };
}

/**
 * The number that the journal of migrations has in place of a time: a time would differ with each generation. It follows
 * from the schema, so a database of another schema has another number and is not mistaken for this one.
 */
const numberOf = (sql: string): number =>
  Number.parseInt(createHash("sha256").update(sql).digest("hex").slice(0, 10), 16);

/** Replaces all migrations by the initial one. */
export async function writeInitial(engine: Engine, folder?: string): Promise<void> {
  const { sql, journal } = await initialMigration(engine);
  const files = filesOf(engine, folder);
  rmSync(files.folder, { recursive: true, force: true });
  mkdirSync(path.dirname(files.journal), { recursive: true });
  writeFileSync(files.sql(initialTag), sql);
  writeFileSync(files.journal, journal);
}

/** Keeps the schema as the released one. */
export async function writeSnapshot(engine: Engine, folder?: string): Promise<void> {
  writeFileSync(filesOf(engine, folder).snapshot, json(await snapshotOf(engine)));
}

/** Adds the migration from the released schema to today's, and keeps that one instead. */
export async function addMigration(engine: Engine, name: string, folder?: string): Promise<void> {
  const files = filesOf(engine, folder);
  const statements = await changesSinceRelease(engine, folder);
  const { entries }: Journal = JSON.parse(readFileSync(files.journal, "utf8"));
  const tag = `${String(entries.length).padStart(4, "0")}_${name}`;
  const sql = statements.map((statement) => blockingNobody[engine](finish[engine](statement)).trim());
  writeFileSync(files.sql(tag), `${sql.join("\n--> statement-breakpoint\n")}\n`);
  writeFileSync(files.journal, json({ entries: [...entries, { tag, when: Date.now() }] }));
  await writeSnapshot(engine, folder);
}

/** The statements that lead from the released schema to today's. */
export const changesSinceRelease = (engine: Engine, folder?: string): Promise<string[]> =>
  statementsFrom(engine, JSON.parse(readFileSync(filesOf(engine, folder).snapshot, "utf8")));

/** Whether the initial migration is not what the schema gives; once released, whether the schema has no migration. */
export async function isStale(engine: Engine): Promise<boolean> {
  if (isReleased()) return (await changesSinceRelease(engine)).length > 0;
  const { sql, journal } = await initialMigration(engine);
  const files = filesOf(engine);
  const differs = (file: string, text: string) => !existsSync(file) || readFileSync(file, "utf8") !== text;
  return differs(files.sql(initialTag), sql) || differs(files.journal, journal);
}

type Snapshot = DrizzleSnapshotJSON | DrizzleSQLiteSnapshotJSON;

const snapshotOf = async (engine: Engine): Promise<Snapshot> =>
  engine === "sqlite" ? generateSQLiteDrizzleJson(buildTables(sqlite)) : generateDrizzleJson(buildTables(postgres));

/** From nothing if there is no released schema. */
async function statementsFrom(engine: Engine, released: Snapshot | null): Promise<string[]> {
  if (engine === "sqlite") {
    const before = (released ?? (await generateSQLiteDrizzleJson({}))) as DrizzleSQLiteSnapshotJSON;
    return generateSQLiteMigration(before, (await snapshotOf(engine)) as DrizzleSQLiteSnapshotJSON);
  }
  const before = (released ?? generateDrizzleJson({})) as DrizzleSnapshotJSON;
  return generateMigration(before, (await snapshotOf(engine)) as DrizzleSnapshotJSON);
}

/** SQLite tables check value types. PostgreSQL compares text by bytes, as SQLite does. */
const finish: Record<Engine, (statement: string) => string> = {
  sqlite: (statement) =>
    statement
      .replace(/^(CREATE TABLE [\s\S]*?\n\));/gm, "$1 STRICT;")
      // The generator mistakes a comma within an index's expression for one between columns.
      .replace(/`(\w+\([^`]*)`,` ([^`]*\))`/g, "$1, $2"),
  postgres: (statement) =>
    statement
      .replace(/^(\t"[a-z0-9_]+" text)\b/gm, '$1 COLLATE "C"')
      .replace(/(ADD COLUMN "[a-z0-9_]+" text)\b/g, '$1 COLLATE "C"'),
};

/**
 * PostgreSQL changes tables that are in use: indices are made and removed concurrently, and constraints are checked
 * after they were added.
 */
const blockingNobody: Record<Engine, (statement: string) => string> = {
  sqlite: (statement) => statement,
  postgres: (statement) =>
    statement
      .replace(/^(CREATE (?:UNIQUE )?INDEX) "/gm, '$1 CONCURRENTLY "')
      .replace(/^DROP INDEX "/gm, 'DROP INDEX CONCURRENTLY IF EXISTS "')
      .replace(
        /^ALTER TABLE ("\w+") ADD CONSTRAINT ("\w+") (?:FOREIGN KEY|CHECK) [^;]*(?=;)/gm,
        (add, table, name) =>
          `${add} NOT VALID;\n--> statement-breakpoint\nALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`,
      ),
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
