// npm run test:changed: the unit tests nearest to what differs from main, on one engine, in at most about 20 seconds.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import { changedFiles } from "./changed/changed-files.mjs";
import { costs, relatedTests, withinBound } from "./changed/related-tests.mjs";
import { durations } from "./setup/durations.mjs";
import { prepare, reportFailure } from "./setup/prepare.mjs";
import { inProject, root } from "./setup/project.mjs";
import { say } from "./setup/step.mjs";

/** What may be spent on tests, beside some 6 seconds in which Vitest starts. */
const seconds = 12;
/** More would compete for the cores with the programs that tests start. */
const workers = Math.max(1, Math.floor(availableParallelism() / 2));
/** Postgres-only tests need a server, which takes longer to start than the rest together. */
const engines = /^(once|sqlite)-/;
const namedFiles = 10;

const textOf = (file) => readFileSync(inProject(file), "utf8");

/** Each project of vitest.config.ts with its tests. Loaded late: it needs the packages. */
async function projects() {
  const { default: config } = await import("../vitest.config.ts");
  return config.test.projects.map(({ test }) => test);
}

/** The related tests that run, with their projects, those that do not fit, and those that need PostgreSQL. */
async function choose() {
  const all = await projects();
  const here = all.filter(({ name }) => engines.test(name));
  const projectOf = new Map(here.flatMap(({ name, include }) => include.map((file) => [file, name])));
  const tests = [...new Set(all.flatMap(({ include }) => include))];
  const related = relatedTests(changedFiles(), tests, textOf);
  const costOf = costs(projectOf, durations());
  const bound = withinBound(
    related.filter(({ file }) => projectOf.has(file)),
    seconds * workers,
    costOf,
  );
  return { ...bound, postgres: related.map(({ file }) => file).filter((file) => !projectOf.has(file)), projectOf };
}

function sayLeft(left, reason) {
  if (left.length === 0) return;
  const names = left.slice(0, namedFiles).join(", ");
  const more = left.length > namedFiles ? ` and ${left.length - namedFiles} more` : "";
  say(`left out ${left.length} related test files ${reason}: ${names}${more}`);
}

/** Runs the tests, and says which related ones do not run. Whether all passed. */
export async function testChanged() {
  const { chosen, left, postgres, projectOf } = await choose();
  if (chosen.length === 0) say("no unit test is related to what differs from main on this engine");
  const names = [...new Set(chosen.map((file) => projectOf.get(file)))];
  const args = [
    ...["node_modules/vitest/vitest.mjs", "run", "--reporter=default", "--reporter=./scripts/setup/durations.mjs"],
    ...names.flatMap((name) => ["--project", name]),
    ...chosen,
  ];
  const env = { ...process.env, VITEST_MAX_WORKERS: String(workers) };
  const isGreen =
    chosen.length === 0 || spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env }).status === 0;
  sayLeft(left, `for which ${seconds} seconds are too short`);
  sayLeft(postgres, "that need PostgreSQL");
  say("npm test runs these and all others, on both engines");
  return isGreen;
}

async function main() {
  await prepare({ needsBuild: false });
  if (!(await testChanged())) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main().catch(reportFailure);
