// npm run demo: a throw-away sandbox with 90 days of a bakery's business, removed when it stops.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { mainProgram } from "./setup/build.mjs";
import { prepare, reportFailure } from "./setup/prepare.mjs";
import { root, SetupError } from "./setup/project.mjs";
import { elapsed, say } from "./setup/step.mjs";

const admin = { email: "ada@harbour-bakery.example", password: "fresh rolls at seven o'clock" };

/** Settings of the demo; those of .env and the shell do not apply, except the address. */
function settings(folder) {
  const { PATH = "", HOME = "", PORT = "3000", APP_URL = `http://localhost:${PORT}` } = process.env;
  return {
    ...{ PATH, HOME, PORT, APP_URL },
    DATABASE_URL: `file:${path.join(folder, "demo.db")}`,
    DATA_DIR: folder,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  };
}

/** The program that is running. */
let child = null;

/** Starts a program. Resolves with its exit code; null if a signal ended it. */
async function run(args, env) {
  child = spawn(process.execPath, args, { cwd: root, stdio: "inherit", env });
  const [code] = await once(child, "exit");
  return code;
}

/** Waits until the server answers. Resolves to false if its program ends before. */
async function isReady(port) {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok) return true;
    await setTimeout(100);
  }
  return false;
}

async function main() {
  const startedAt = Date.now();
  await prepare({ needsBuild: true });
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-demo-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const env = settings(folder);
  say("90 days of business, carried out by the product ...");
  const code = await run(["--import", "tsx", "scripts/demo/fill.ts"], { ...env, LOG_LEVEL: "error", RATE_LIMIT: "0" });
  if (code !== 0) throw new SetupError("The demo could not be filled.");
  say(`done in ${elapsed(startedAt)}`);
  const running = run([mainProgram], { ...env, NODE_ENV: "production", LOG_LEVEL: "warn" });
  if (await isReady(env.PORT)) {
    console.log(`Sign in with ${admin.email} and the password: ${admin.password}`);
    console.log("Press Ctrl-C to stop; the demo's data is removed then.");
  }
  process.exitCode = (await running) ?? 1;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (child === null) process.exit(1);
    // A terminal sends Ctrl-C to the program too, and a second one would not let it finish.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
}
await main().catch(reportFailure);
