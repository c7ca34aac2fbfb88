// npm test: sets up what the tests need, runs everything, and ends with one line "N passed, M failed".
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { findBrowser } from "./setup/browser.mjs";
import { build } from "./setup/build.mjs";
import { installClients } from "./setup/clients.mjs";
import { install } from "./setup/install.mjs";
import { underLock } from "./setup/lock.mjs";
import { requireNode, requireSystem } from "./setup/node.mjs";
import { otherNodes, unpackNodes } from "./setup/nodes.mjs";
import { startPostgres } from "./setup/postgres.mjs";
import { reportFailure } from "./setup/prepare.mjs";
import { inProject, root } from "./setup/project.mjs";
import { playwrightResults, vitestReporters, vitestResults } from "./setup/results.mjs";
import { findShellTools } from "./setup/shell-tools.mjs";
import { allDone, elapsed, say } from "./setup/step.mjs";
import { testOnNode } from "./test-nodes.mjs";
import { verify } from "./verify.mjs";

const playwrightProjects = ["http", "contract-sqlite", "contract-postgres", "flows"];
const reports = ".setup/reports";

const nothing = { passed: 0, failed: 0, skipped: 0, failures: [] };
/** The closing lines name this many failed tests, because a log may keep only its end. */
const namedFailures = 20;

/** Rows of the closing table. A stage that fails without a failed test counts as one failure. */
const rows = [];

function record(title, startedAt, counts, stageFailed) {
  const isEmpty = counts !== null && counts.passed + counts.failed === 0;
  const faults = [
    stageFailed && (counts === null || counts.failed === 0) ? "failed" : null,
    isEmpty ? "ran no test" : null,
    counts?.skipped ? `${counts.skipped} skipped` : null,
  ].filter(Boolean);
  rows.push({
    title,
    time: startedAt === null ? "" : elapsed(startedAt),
    ...(counts ?? nothing),
    faults,
  });
}

/** The test programs that are running. */
const running = new Set();

/** Runs a test program; resolves to whether it succeeded. One that runs beside others prints its output at the end. */
function run(args, { env = {}, executable = process.execPath, isBesideOthers = false } = {}) {
  const stdio = isBesideOthers ? ["ignore", "pipe", "pipe"] : "inherit";
  const child = spawn(executable, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => output.push(chunk));
  running.add(child);
  return new Promise((resolve) => {
    child.on("close", (code) => {
      running.delete(child);
      process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

function killAll(signal) {
  for (const child of running) child.kill(signal);
}

/** Runs the projects of vitest.config.ts whose names start with one of `names`. */
async function unitTests(names, env = {}) {
  const startedAt = Date.now();
  const report = `${reports}/unit-${names.join("-")}.json`;
  say(`unit and property tests: ${names.join(" and ")}`);
  const projects = names.flatMap((name) => ["--project", `${name}*`]);
  const isGreen = await run(["node_modules/vitest/vitest.mjs", "run", ...projects, ...vitestReporters(report)], {
    env,
  });
  record(`unit, ${names.join(" and ")}`, startedAt, vitestResults(report), !isGreen);
}

async function httpTests(env) {
  const startedAt = Date.now();
  const report = `${reports}/http.json`;
  say("contract tests over HTTP and browser flows");
  const isGreen = await run(["node_modules/playwright/cli.js", "test"], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: inProject(report) },
  });
  const { byProject, faults } = playwrightResults(report);
  const anyFailed = [...byProject.values()].some(({ failed }) => failed > 0);
  record("http and browser", startedAt, null, faults > 0 || (!isGreen && !anyFailed));
  // Projects added to playwright.config.ts count too. One that ran no test is a fault.
  for (const project of new Set([...playwrightProjects, ...byProject.keys()])) {
    record(project, null, byProject.get(project) ?? nothing, false);
  }
}

/** Runs these tests side by side, because they wait half of the time. */
async function testsOnOtherNodes() {
  const runBesideOthers = (args, options) => run(args, { ...options, isBesideOthers: true });
  await allDone(
    otherNodes().map(async (node, index) => {
      const startedAt = Date.now();
      const { counts, isGreen } = await testOnNode(node, runBesideOthers, { isHttpFirst: index % 2 === 1 });
      record(`node ${node.line}`, startedAt, counts, !isGreen);
    }),
  );
}

async function stage(title, work) {
  const startedAt = Date.now();
  const isGreen = await work().catch((error) => {
    reportFailure(error);
    return false;
  });
  record(title, startedAt, null, isGreen === false);
  return isGreen;
}

function summarize() {
  console.log();
  for (const { title, time, passed, failed, faults } of rows) {
    const counts =
      passed + failed > 0 ? `${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed` : "";
    console.log(`${title.padEnd(22)} ${time.padStart(9)} ${counts.padEnd(26)} ${faults.join(", ")}`.trimEnd());
  }
  for (const { title, reason } of rows.flatMap(({ failures }) => failures).slice(0, namedFailures)) {
    console.log(`\nFAILED ${title}\n  ${stripVTControlCharacters(reason).split("\n").slice(0, 5).join("\n  ")}`);
  }
  const sum = (pick) => rows.reduce((total, row) => total + pick(row), 0);
  const failed = sum((row) => row.failed + row.faults.length);
  process.exitCode = failed > 0 ? 1 : 0;
  console.log(`\n${sum((row) => row.passed)} passed, ${failed} failed`);
}

/**
 * Installs independent things in parallel, because npm keeps only one core busy. Resolves to whether there is a build,
 * and to the browser's path: null for Playwright's own, false if there is none.
 */
async function setUp() {
  requireNode();
  requireSystem();
  return underLock(async () => {
    const packages = install();
    const [, , isBuilt, browser] = await allDone([
      unpackNodes(),
      stage("generators of clients", installClients),
      packages.then(withoutServer),
      programs(packages),
    ]);
    return { isBuilt, browser };
  });
}

/** Resolves to the browser's path. One after the other, because both may call apt-get. */
async function programs(packages) {
  await findShellTools();
  return stage("browser", () => findBrowser(packages));
}

/** What needs neither a database server nor a browser. */
async function withoutServer() {
  await stage("verify", verify);
  const isBuilt = (await stage("build", build)) !== false;
  await unitTests(["once"]);
  return isBuilt;
}

async function runAll(postgresUrl, { isBuilt, browser }) {
  const env = { TEST_DATABASE_URL_PG: postgresUrl };
  await unitTests(["sqlite", "postgres"], env);
  if (!isBuilt) return;
  // Not beside the unit tests: passwords are checked in threads with low priority, which would get no time.
  await testsOnOtherNodes();
  if (browser === false) return;
  await httpTests({ ...env, ...(browser ? { CHROMIUM_PATH: browser } : {}) });
}

async function main() {
  const startedAt = Date.now();
  let postgres = { stop: async () => {} };
  // Installed before set-up, which a signal may stop too.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => {
      killAll(signal);
      postgres.stop().finally(() => endEarly(`stopped by ${signal}`));
    });
  }
  rmSync(inProject(reports), { recursive: true, force: true });
  const found = await setUp();
  const given = process.env.TEST_DATABASE_URL_PG;
  postgres = given ? { ...postgres, url: given } : await startPostgres();
  try {
    await runAll(postgres.url, found);
  } finally {
    await postgres.stop();
  }
  say(`all of it: ${elapsed(startedAt)}`);
  summarize();
}

/** Always prints the closing line, so that an aborted run is never mistaken for one without tests. */
function endEarly(fault) {
  // Another stage may have started meanwhile.
  killAll();
  rows.push({ title: "set-up", time: "", ...nothing, faults: [fault] });
  summarize();
  process.exit(1);
}

process.once("uncaughtException", (error) => {
  reportFailure(error);
  endEarly("failed");
});
await main().catch((error) => {
  reportFailure(error);
  endEarly("failed");
});
