// Checks that migrations do not block the previous version: squawk's rules on PostgreSQL, and on both engines our own.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { inProject, root } from "./setup/project.mjs";

/** The initial migration, which has the number 0, only runs on an empty database. */
const firstNumber = 1;

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
    .filter((file) => file.endsWith(".sql") && Number(file.slice(0, 4)) >= firstNumber)
    .map((file) => `${folder}/${file}`);
}

const squawkProgram = () => createRequire(import.meta.url)("squawk-cli/js/index.js").getBinaryPath();

/**
 * Squawk's complaints about the files. If squawk cannot run, that is a complaint too. Only where it has no program for
 * the system there is none, and a note says so.
 */
export function squawk(files, findProgram = squawkProgram) {
  if (files.length === 0) return { faults: [], note: null };
  let program;
  try {
    program = findProgram();
  } catch (error) {
    if (!/unsupported platform/.test(error.message)) return { faults: [error.message], note: null };
    return { faults: [], note: `Note: squawk's rules were not checked. ${error.message}` };
  }
  const args = ["--config", "db/squawk.toml", "--reporter", "gcc", ...files];
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: "utf8" });
  if (error) return { faults: [`squawk did not start: ${error.message}`], note: null };
  if (status === 0) return { faults: [], note: null };
  return { faults: [`${stdout}${stderr}`.trim() || `squawk ended with ${status ?? signal}`], note: null };
}

function main() {
  const own = ["sqlite", "postgres"]
    .flatMap(checked)
    .flatMap((file) => faultsOf(file, readFileSync(inProject(file), "utf8")));
  const { faults, note } = squawk(checked("postgres"));
  if (note !== null) console.log(note);
  for (const fault of [...own, ...faults]) console.error(fault);
  if (own.length + faults.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
