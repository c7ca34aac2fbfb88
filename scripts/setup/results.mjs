// Counts and failures of test runs, from the reports of Vitest (vitest-results.mjs) and Playwright (JSON).
import { existsSync, readFileSync } from "node:fs";
import { inProject } from "./project.mjs";

const nothing = () => ({ passed: 0, failed: 0, skipped: 0, failures: [] });

/** The sum of two results. */
export const addResults = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...a.failures, ...b.failures],
});

function readReport(file) {
  if (!existsSync(inProject(file))) return null;
  return JSON.parse(readFileSync(inProject(file), "utf8"));
}

/** The options of Vitest that make it print a dot per test, write its results to `file` and keep how long files took. */
export const vitestReporters = (file) => [
  "--reporter=dot",
  "--reporter=./scripts/setup/durations.mjs",
  "--reporter=./scripts/setup/vitest-results.mjs",
  `--outputFile=${file}`,
];

/** Results of one Vitest run. A file that could not be loaded counts as one failure. */
export const vitestResults = (file) => readReport(file) ?? nothing();

/** Results of one Playwright run by project. Flaky tests count as failed: there are no retries. */
export function playwrightResults(file) {
  const report = readReport(file);
  const byProject = new Map();
  const visit = (suite) => {
    for (const spec of suite.specs ?? []) for (const test of spec.tests) count(byProject, spec, test);
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of report?.suites ?? []) visit(suite);
  return { byProject, faults: report === null ? 1 : report.errors.length };
}

function count(byProject, spec, { projectName, status, results }) {
  if (!byProject.has(projectName)) byProject.set(projectName, nothing());
  const counts = byProject.get(projectName);
  if (status === "expected") counts.passed++;
  else if (status === "skipped") counts.skipped++;
  else {
    counts.failed++;
    const reason = results.find(({ error }) => error)?.error.message ?? "no reason";
    counts.failures.push({ title: `${projectName} ${spec.file} > ${spec.title}`, reason });
  }
}
