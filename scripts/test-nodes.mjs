// npm run test:nodes: the quick part of the tests on every other supported version of Node. npm test includes it.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { underLock } from "./setup/lock.mjs";
import { compileDrivers, otherNodes, unpackNodes } from "./setup/nodes.mjs";
import { prepare, reportFailure } from "./setup/prepare.mjs";
import { inProject, root, SetupError } from "./setup/project.mjs";
import { addCounts, playwrightCounts, vitestCounts } from "./setup/results.mjs";
import { say } from "./setup/step.mjs";

/** What depends on Node itself: the compiled driver, HTTP, cryptography, threads, clocks and formats. */
const unitTests = [
  "db/",
  "scripts/setup/driver.sqlite.test.ts",
  "server/http/",
  "server/kit/",
  "server/process/",
  "server/secrets/",
];
const unitProjects = ["--project=once*", "--project=sqlite*"];
const httpTests = ["e2e/http/openapi.spec.ts", "e2e/http/sockets.spec.ts"];
const httpProjects = ["--project=http"];
const reports = ".setup/reports";

/** Runs the quick part on one other Node; `run(args, { env, executable })` says whether a program succeeded. */
export async function testOnNode({ line, executable }, run) {
  say(`the quick part of the tests on Node ${line}`);
  const missing = [...unitTests, ...httpTests].filter((file) => !existsSync(inProject(file)));
  if (missing.length > 0)
    throw new SetupError(`scripts/test-nodes.mjs names files that do not exist: ${missing.join(", ")}`);
  const [unit, http] = ["unit", "http"].map((kind) => `${reports}/${kind}-node-${line}.json`);
  for (const report of [unit, http]) rmSync(inProject(report), { force: true });
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${unit}`];
  const vitest = ["node_modules/vitest/vitest.mjs", "run", ...unitProjects, ...reporters, ...unitTests];
  // By default every run of Playwright empties the same folder.
  const output = ["--output", `test-results/node-${line}`];
  const playwright = ["node_modules/playwright/cli.js", "test", ...output, ...httpProjects, ...httpTests];
  const isUnitGreen = await run(vitest, { executable });
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: inProject(http) };
  const isHttpGreen = await run(playwright, { env, executable });
  const { byProject, faults } = playwrightCounts(http);
  return {
    counts: [...byProject.values()].reduce(addCounts, vitestCounts(unit)),
    isGreen: isUnitGreen && isHttpGreen && faults === 0,
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
  await underLock(async () => {
    await unpackNodes();
    await compileDrivers();
  });
  const run = (args, { env, executable }) =>
    spawnSync(executable, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } }).status === 0;
  for (const node of otherNodes()) {
    const { isOk, text } = verdictOf(node.line, await testOnNode(node, run));
    say(text);
    if (!isOk) process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main().catch(reportFailure);
