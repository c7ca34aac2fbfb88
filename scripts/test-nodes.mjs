// npm run test:nodes: the quick part of the tests on every other supported version of Node. npm test includes it.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { underLock } from "./setup/lock.mjs";
import { otherNodes, unpackNodes } from "./setup/nodes.mjs";
import { prepare, reportFailure } from "./setup/prepare.mjs";
import { inProject, root, SetupError } from "./setup/project.mjs";
import { addResults, playwrightResults, vitestReporters, vitestResults } from "./setup/results.mjs";
import { say } from "./setup/step.mjs";

/**
 * What depends on Node itself. A file belongs here if what it tests comes from Node or from a compiled package. Rules of
 * our own that only happen to be near, such as rate limits and CSV, run on one version.
 */
const unitTests = [
  // The SQLite driver, its threads, and locks of files.
  "db/",
  "scripts/setup/driver.sqlite.test.ts",
  // node:http, sockets, streams, fetch and the URL parser.
  "server/http/body-bytes.test.ts",
  "server/http/draining.test.ts",
  "server/http/entrance.test.ts",
  "server/http/exchange.test.ts",
  "server/http/metrics.test.ts",
  "server/http/node-http.test.ts",
  "server/http/page-requests.test.ts",
  "server/http/path.test.ts",
  "server/http/server.test.ts",
  "server/http/stay.test.ts",
  // The tables of Unicode, and lists of addresses.
  "server/kit/peer.test.ts",
  "server/kit/words.test.ts",
  // Clocks, formats of dates, errors of the system, and terminals.
  "server/process/",
  // node:crypto, and Argon2 in threads.
  "server/secrets/password.test.ts",
  "server/secrets/seal.test.ts",
  "server/secrets/secret.test.ts",
];
const unitProjects = ["--project=once*", "--project=sqlite*"];
const httpTests = ["e2e/http/openapi.spec.ts", "e2e/http/sockets.spec.ts"];
const httpProjects = ["--project=http"];
const reports = ".setup/reports";

/**
 * Runs the quick part on one other Node; `run(args, { env, executable })` says whether a program succeeded. The tests
 * over HTTP mostly wait, so with `isHttpFirst` on every second Node they run beside the unit tests on another.
 */
export async function testOnNode({ line, executable }, run, { isHttpFirst = false } = {}) {
  say(`the quick part of the tests on Node ${line}`);
  const missing = [...unitTests, ...httpTests].filter((file) => !existsSync(inProject(file)));
  if (missing.length > 0)
    throw new SetupError(`scripts/test-nodes.mjs names files that do not exist: ${missing.join(", ")}`);
  const [unit, http] = ["unit", "http"].map((kind) => `${reports}/${kind}-node-${line}.json`);
  for (const report of [unit, http]) rmSync(inProject(report), { force: true });
  const vitest = ["node_modules/vitest/vitest.mjs", "run", ...unitProjects, ...vitestReporters(unit), ...unitTests];
  // By default every run of Playwright empties the same folder.
  const output = ["--output", `test-results/node-${line}`];
  const playwright = ["node_modules/playwright/cli.js", "test", ...output, ...httpProjects, ...httpTests];
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: inProject(http) };
  const programs = [() => run(vitest, { executable }), () => run(playwright, { env, executable })];
  const areGreen = [];
  for (const program of isHttpFirst ? programs.reverse() : programs) areGreen.push(await program());
  const { byProject, faults } = playwrightResults(http);
  return {
    counts: [...byProject.values()].reduce(addResults, vitestResults(unit)),
    isGreen: !areGreen.includes(false) && faults === 0,
  };
}

/** Whether the part passed on this line of Node, as a sentence. No test may be skipped, and some must have run. */
export function verdictOf(line, { counts: { passed, failed, skipped }, isGreen }) {
  const isOk = isGreen && skipped === 0 && passed > 0;
  return {
    isOk,
    text: `Node ${line}: ${isOk ? "ok" : "FAILED"}, ${passed} passed, ${failed} failed, ${skipped} skipped`,
  };
}

async function main() {
  await prepare({ needsBuild: true });
  await underLock(unpackNodes);
  const run = (args, { env, executable }) =>
    spawnSync(executable, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } }).status === 0;
  for (const node of otherNodes()) {
    const { isOk, text } = verdictOf(node.line, await testOnNode(node, run));
    say(text);
    if (!isOk) process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main().catch(reportFailure);
