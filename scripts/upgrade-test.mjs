// npm run upgrade:test [rows]: upgrades databases of released versions under load, on both engines.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { startPostgres } from "./setup/postgres.mjs";
import { prepare, reportFailure } from "./setup/prepare.mjs";
import { inProject, root, SetupError } from "./setup/project.mjs";

const defaultRows = "100000";

async function main() {
  const [rows = defaultRows] = process.argv.slice(2);
  if (!/^[1-9]\d*$/.test(rows)) throw new SetupError("Usage: npm run upgrade:test -- [rows]");
  if (!readdirSync(inProject("test/upgrade")).some((file) => file.endsWith(".json.gz"))) {
    console.log("No version of Quittance is released yet, so there is none to upgrade from.");
    return;
  }
  await prepare({ needsBuild: false });
  const given = process.env.TEST_DATABASE_URL_PG;
  const postgres = given ? { url: given, stop: async () => {} } : await startPostgres({ isDurable: true });
  try {
    const env = { ...process.env, TEST_DATABASE_URL_PG: postgres.url, UPGRADE_ROWS: rows };
    const projects = ["--project", "sqlite*", "--project", "postgres*"];
    const args = [
      "node_modules/vitest/vitest.mjs",
      "run",
      ...projects,
      "--maxWorkers",
      "1",
      "test/stories/upgrade.test.ts",
    ];
    process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env }).status ?? 1;
  } finally {
    await postgres.stop();
  }
}

await main().catch(reportFailure);
