// Runs a long step as a child process: shows progress, stores its output, and prints the end of it on failure.
import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { inProject, root, SetupError } from "./project.mjs";

const progressEveryMs = 10_000;
const linesOfOutput = 40;

/** Seconds since `startedAt` (epoch ms), as "12.3 s". */
export const elapsed = (startedAt) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;

/** Prints a line for the user at the terminal, beside what a command prints for programs. */
export const say = (text) => console.error(`[quittance] ${text}`);

/**
 * Runs `command` quietly, with its output in .setup/<name>.log. Rejects with a SetupError with the reason from
 * `explain(output)`, or the last lines of the output.
 */
export async function runStep({ name, title, command, args, env = {}, explain = () => null }) {
  const startedAt = Date.now();
  say(`${title} ...`);
  const ticker = setInterval(() => say(`${title} ... ${elapsed(startedAt)}`), progressEveryMs);
  const logFile = inProject(".setup", `${name}.log`);
  const { code, signal } = await capture(command, args, env, logFile).finally(() => clearInterval(ticker));
  if (code === 0) {
    say(`${title}: done in ${elapsed(startedAt)}`);
    return;
  }
  if (signal === "SIGINT" || signal === "SIGTERM") throw new SetupError(`${title}: interrupted`);
  const output = readFileSync(logFile, "utf8").trimEnd();
  const reason = explain(output);
  const tail = output.split("\n").slice(-linesOfOutput).join("\n");
  throw new SetupError(`${title} failed (exit code ${code}).\n${reason ?? tail}\nAll output: ${logFile}`);
}

/**
 * Waits for all steps before it throws an error of one of them, so that none is still running when the message appears.
 */
export async function allDone(steps) {
  const results = await Promise.allSettled(steps);
  const failed = results.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
  return results.map(({ value }) => value);
}

function capture(command, args, env, logFile) {
  mkdirSync(path.dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stop = () => child.kill();
    process.once("exit", stop);
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      process.off("exit", stop);
      log.end(() => resolve({ code, signal }));
    });
  });
}
