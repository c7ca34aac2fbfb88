// Generates the next migration of both engines from db/schema, and adds what the generator cannot express.
// Usage: npm run db:generate -- name_of_the_change
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const name = process.argv[2];
if (!/^[a-z0-9_]+$/.test(name ?? "")) {
  console.error("Usage: npm run db:generate -- name_of_the_change");
  process.exit(2);
}

/**
 * SQLite tables check value types. PostgreSQL compares text by bytes, as SQLite does, and changes existing tables in
 * ways that block nobody: indices are made and removed concurrently, and constraints are checked after they were added.
 */
const finish = {
  sqlite: (sql) =>
    sql
      .replace(/^(CREATE TABLE [\s\S]*?\n\));/gm, "$1 STRICT;")
      // The generator mistakes a comma within an index's expression for one between columns.
      .replace(/`(\w+\([^`]*)`,` ([^`]*\))`/g, "$1, $2"),
  postgres: (sql) =>
    sql
      .replace(/^(\t"[a-z0-9_]+" text)\b/gm, '$1 COLLATE "C"')
      .replace(/(ADD COLUMN "[a-z0-9_]+" text)\b/g, '$1 COLLATE "C"')
      .replace(/^(CREATE (?:UNIQUE )?INDEX) "/gm, '$1 CONCURRENTLY "')
      .replace(/^DROP INDEX "/gm, 'DROP INDEX CONCURRENTLY IF EXISTS "')
      .replace(
        /^ALTER TABLE ("\w+") ADD CONSTRAINT ("\w+") (?:FOREIGN KEY|CHECK) [^;]*(?=;)/gm,
        (add, table, name) =>
          `${add} NOT VALID;--> statement-breakpoint\nALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`,
      ),
};

for (const engine of ["sqlite", "postgres"]) {
  const folder = `db/migrations/${engine}`;
  const before = new Set(safeList(folder));
  execFileSync("npx", ["drizzle-kit", "generate", `--config=db/drizzle.${engine}.ts`, "--name", name], {
    stdio: "inherit",
  });
  for (const file of safeList(folder)) {
    if (before.has(file) || !file.endsWith(".sql")) continue;
    const path = `${folder}/${file}`;
    writeFileSync(path, finish[engine](readFileSync(path, "utf8")));
  }
}

function safeList(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
