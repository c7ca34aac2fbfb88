#!/bin/sh
# The migrator of drizzle-orm remembers which migrations it has applied, but looks only at the date of the
# newest one. A migration with an earlier date is never applied, and the migrator reports success. This
# happens if two branches each generate a migration and the one generated first is merged last. New databases
# and those in tests get both tables, and the one in production lacks a table without anyone having been told.
# For payments software, the first to notice is the first refund. Compare the recorded migrations with the
# files one by one, and refuse to start if one is missing.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error drizzle-orm@0.45.4 sql.js@1.17.0 >/dev/null
npm ls --depth=0 | tail -n +2
cat >check.mjs <<'JS'
import { mkdirSync, writeFileSync } from "node:fs";
import { drizzle } from "drizzle-orm/sql-js";
import { migrate } from "drizzle-orm/sql-js/migrator";
import initialize from "sql.js";

const payments = { when: Date.parse("2026-11-02"), table: "payments" };
const refunds = { when: Date.parse("2026-11-09"), table: "refunds" };
const disputes = { when: Date.parse("2026-11-16"), table: "disputes" };

/** Writes a folder of migrations in drizzle's own form. Each makes one table. */
function write(folder, migrations) {
  mkdirSync(`${folder}/meta`, { recursive: true });
  const entries = migrations.map(({ when, table: tag }, idx) => ({ idx, version: "6", when, tag, breakpoints: true }));
  writeFileSync(`${folder}/meta/_journal.json`, JSON.stringify({ version: "7", dialect: "sqlite", entries }));
  for (const { table } of migrations) writeFileSync(`${folder}/${table}.sql`, `CREATE TABLE ${table} (id integer);`);
}

write("before", [payments, disputes]);
write("merged", [payments, refunds, disputes]);
const { Database } = await initialize();

/** The tables after the migrator has gone through these folders, one after the other. */
function tablesAfter(...folders) {
  const database = new Database();
  for (const migrationsFolder of folders) migrate(drizzle(database), { migrationsFolder });
  const [{ values }] = database.exec("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
  return values.flat().filter((name) => !name.startsWith("__")).join(", ");
}

const fresh = tablesAfter("merged");
const upgraded = tablesAfter("before", "merged");
console.log("Expected: both databases have disputes, payments, refunds.");
console.log(`Found:    the new one has ${fresh}; the upgraded one has ${upgraded}, without an error.`);

if (fresh !== "disputes, payments, refunds" || upgraded !== "disputes, payments") {
  console.error("This is no longer so.");
  process.exit(1);
}
JS
node check.mjs
