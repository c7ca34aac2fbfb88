// npm run upgrade:test [rows]: upgrades databases of the last release under load, on both engines.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { startPostgres } from "./setup/postgres.mjs";
import { prepare, reportFailure } from "./setup/prepare.mjs";
import { inProject, root, SetupError } from "./setup/project.mjs";
import { say } from "./setup/step.mjs";
import { buildRelease } from "./upgrade/build.mjs";
import { lastRelease } from "./upgrade/release.mjs";

const defaultRows = "100000";

function git(...args) {
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch (error) {
    if (error.code === "ENOENT") throw new SetupError("The last release is built from the history, which needs git.");
    return null;
  }
}

/** Runs the program of the test on one engine, and throws if it fails. */
function upgrade(engine, env, args) {
  const { status } = spawnSync(process.execPath, ["--import", "tsx", "test/upgrade/run.ts", ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, TEST_ENGINE: engine, ...env },
  });
  if (status !== 0) throw new SetupError(`The upgrade failed on ${engine}.`);
}

async function main() {
  const [rows = defaultRows] = process.argv.slice(2);
  if (!/^[1-9]\d*$/.test(rows)) throw new SetupError("Usage: npm run upgrade:test -- [rows]");
  const release = lastRelease(readFileSync(inProject("CHANGELOG.md"), "utf8"), git);
  if (release === null) {
    say("no version of Quittance is released yet, so there is none to upgrade from");
    return;
  }
  await prepare({ needsBuild: false });
  say(`upgrading from ${release.version}, commit ${release.commit.slice(0, 8)}, found by ${release.by}`);
  const folder = inProject(".setup", `release-${process.pid}`);
  const given = process.env.TEST_DATABASE_URL_PG;
  const postgres = given ? { url: given, stop: async () => {} } : await startPostgres({ isDurable: true });
  try {
    await buildRelease(release, folder);
    upgrade("sqlite", { DATABASE_URL: "file::memory:" }, [folder, rows]);
    upgrade("postgres", { DATABASE_URL: postgres.url, TEST_DATABASE_URL_PG: postgres.url }, [folder, rows]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await postgres.stop();
  }
}

await main().catch(reportFailure);
