// Checks that migrations do not block the previous version: squawk's rules on PostgreSQL, and on both engines our own.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { inProject } from "./setup/project.mjs";

/** Nothing upgrades from a version before this migration, so earlier ones only run on an empty database. */
const baselineNumber = 7;

/** The faults of one migration's text. */
export function faultsOf(file, text) {
  const statements = text
    .split("--> statement-breakpoint")
    .map((statement) => statement.replace(/^\s*--.*$/gm, "").trim());
  return statements.flatMap((statement) => {
    if (/^(update|delete)\b/i.test(statement)) {
      return [`${file} changes rows in one statement: schedule a job that does it in batches`];
    }
    if (/^drop index concurrently (?!if exists)/i.test(statement)) {
      return [`${file} drops an index without IF EXISTS: when interrupted, it is dropped again`];
    }
    if (/^create (unique )?index concurrently if not exists/i.test(statement)) {
      return [`${file} creates an index IF NOT EXISTS: when interrupted, it would stay incomplete and count as done`];
    }
    if (/\bconcurrently\b/i.test(statement) && /;\s*\S/.test(statement)) {
      return [`${file} has another statement beside one that runs concurrently: separate them`];
    }
    return [];
  });
}

function checked(engine) {
  const folder = `db/migrations/${engine}`;
  return readdirSync(inProject(folder))
    .filter((file) => file.endsWith(".sql") && Number(file.slice(0, 4)) >= baselineNumber)
    .map((file) => `${folder}/${file}`);
}

/** Resolves to squawk's report if it has complaints; null if it has none or there is no squawk for this system. */
function squawk(files) {
  const isHere = spawnSync(process.execPath, [program(), "--version"]).status === 0;
  if (!isHere) return null;
  const args = [program(), "--config", "db/squawk.toml", "--reporter", "gcc", ...files];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: inProject(), encoding: "utf8" });
  return status === 0 ? null : stdout;
}

const program = () => createRequire(import.meta.url).resolve("squawk-cli/js/bin/squawk");

function main() {
  const own = ["sqlite", "postgres"]
    .flatMap(checked)
    .flatMap((file) => faultsOf(file, readFileSync(inProject(file), "utf8")));
  const report = squawk(checked("postgres"));
  for (const fault of [...own, ...(report === null ? [] : [report])]) console.error(fault);
  if (own.length > 0 || report !== null) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
