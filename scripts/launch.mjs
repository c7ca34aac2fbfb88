// Runs a program of this repository on a Node that the product supports: node scripts/launch.mjs <file> [arguments].
// That is this one or, where it is too old, a newer one from npm. With --newest before <file>, an older line is left for
// the newest one, too.
import { spawn } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { underLock } from "./setup/lock.mjs";
import { isSupported } from "./setup/node.mjs";
import { isNewest, newestNode } from "./setup/nodes.mjs";
import { reportFailure } from "./setup/prepare.mjs";
import { inProject } from "./setup/project.mjs";

const wantsNewest = process.argv[2] === "--newest";
const [file, ...args] = process.argv.slice(wantsNewest ? 3 : 2);

/** Runs the program in this process, so that signals reach it. */
async function runHere() {
  process.argv = [process.argv[0], path.resolve(file), ...args];
  await import(pathToFileURL(process.argv[1]).href);
}

/** Runs the program on another Node: passes signals to it, and ends as it ends. It ends when this process is gone. */
function runOn(executable) {
  const follow = ["--import", pathToFileURL(inProject("scripts/setup/follow.mjs")).href];
  const child = spawn(executable, [...process.execArgv, ...follow, file, ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("error", reportFailure);
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

async function launch() {
  if (isSupported() && (!wantsNewest || isNewest())) return runHere();
  runOn(await underLock(newestNode));
}

await launch().catch(reportFailure);
