// npm run faults: builds what is missing, starts a durable PostgreSQL unless one is named, and runs faults/run.ts.
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { startPostgres } from "./setup/postgres.mjs";
import { prepare, reportFailure } from "./setup/prepare.mjs";
import { root } from "./setup/project.mjs";

let child = null;
// Once the faults run, they end with their table. Before that, the exit stops whatever was started.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => (child === null ? process.exit(1) : child.kill(signal)));
}

/** Resolves to the program's exit code. */
function run(url) {
  const args = ["--import", "tsx", "scripts/faults/run.ts", ...process.argv.slice(2)];
  // Each fault names its own databases; a DATABASE_URL of this machine, in .env too, must not be one of them.
  const env = { ...process.env, TEST_DATABASE_URL_PG: url, DATABASE_URL: "file::memory:", SECRET_KEY: "" };
  // Without it, the databases would be in memory, where a sync costs nothing.
  env.TMPDIR = tmpdir();
  child = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
}

async function main() {
  await prepare({ needsBuild: true });
  const given = process.env.TEST_DATABASE_URL_PG;
  if (given) return run(given);
  const postgres = await startPostgres({ isDurable: true });
  try {
    return await run(postgres.url);
  } finally {
    await postgres.stop();
  }
}

process.exitCode = await main().catch((error) => {
  reportFailure(error);
  return 1;
});
