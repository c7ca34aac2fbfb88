// Counts of passed and failed tests from the JSON reports of Vitest and Playwright.
import { existsSync, readFileSync } from "node:fs";
import { inProject } from "./project.mjs";

const nothing = () => ({ passed: 0, failed: 0, skipped: 0 });

/** The sum of two counts. */
export const addCounts = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

function readReport(file) {
  if (!existsSync(inProject(file))) return null;
  return JSON.parse(readFileSync(inProject(file), "utf8"));
}

/** Counts of one Vitest run. A file that could not be loaded counts as one failure. */
export function vitestCounts(file) {
  const counts = nothing();
  for (const { status, assertionResults } of readReport(file)?.testResults ?? []) {
    if (status === "failed" && assertionResults.length === 0) counts.failed++;
    for (const { status: result } of assertionResults) {
      if (result === "passed") counts.passed++;
      else if (result === "failed") counts.failed++;
      else counts.skipped++;
    }
  }
  return counts;
}

/** Counts of one Playwright run by project. Flaky tests count as failed: there are no retries. */
export function playwrightCounts(file) {
  const report = readReport(file);
  const byProject = new Map();
  const visit = (suite) => {
    for (const { tests } of suite.specs ?? []) for (const test of tests) count(byProject, test);
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of report?.suites ?? []) visit(suite);
  return { byProject, faults: report === null ? 1 : report.errors.length };
}

function count(byProject, { projectName, status }) {
  if (!byProject.has(projectName)) byProject.set(projectName, nothing());
  const counts = byProject.get(projectName);
  if (status === "expected") counts.passed++;
  else if (status === "skipped") counts.skipped++;
  else counts.failed++;
}
