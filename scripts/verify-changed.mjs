// npm run verify:changed: checks what differs from main, and runs the unit tests nearest to it.
import { existsSync } from "node:fs";
import { changedFiles } from "./changed/changed-files.mjs";
import { prepare, reportFailure } from "./setup/prepare.mjs";
import { inProject } from "./setup/project.mjs";
import { testChanged } from "./test-changed.mjs";
import { formatAndLint, runChecks, structure, types } from "./verify.mjs";

/** The compiler keeps here what it knows, so that it checks only files that depend on a changed one. */
const buildInfo = ".setup/types.tsbuildinfo";

async function main() {
  await prepare({ needsBuild: false });
  const files = changedFiles().filter((file) => existsSync(inProject(file)));
  const ofFiles = files.length > 0 ? [formatAndLint(...files)] : [];
  const checks = [...ofFiles, types("--incremental", "--tsBuildInfoFile", buildInfo), structure];
  const areGreen = await Promise.all([runChecks(checks), testChanged()]);
  if (areGreen.includes(false)) process.exitCode = 1;
}

await main().catch(reportFailure);
