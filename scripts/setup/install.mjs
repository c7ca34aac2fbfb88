// Installs exactly the lockfile if node_modules is missing or stale, and explains what is missing on failure.
import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { compilerEnvironment, driverSources } from "./driver.mjs";
import { checksum, inProject, isStamped, SetupError, writeStamp } from "./project.mjs";
import { runStep, say } from "./step.mjs";

const stampFile = "node_modules/.setup";

/** Whether node_modules matches package-lock.json and this version of Node. */
export function isInstalled() {
  return isStamped(stampFile, stampText());
}

const stampText = () =>
  checksum(["package-lock.json", ...driverSources], [process.version, process.platform, process.arch]);

/** Installs the packages, including development ones, which the build needs whatever NODE_ENV is. */
export async function unpack() {
  if (isInstalled()) return;
  requireCompiler();
  say("packages are installed as package-lock.json says; compiling the SQLite driver takes a minute or two");
  await runNpm({
    name: "install",
    title: "installing packages",
    args: ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"],
  });
}

/**
 * Runs the packages' own scripts, which compile the SQLite driver. Only what opens a database has to wait for it. They
 * run even if npm is configured to run none: without the driver nothing works.
 */
export async function compile() {
  if (isInstalled()) return;
  const stamp = stampText();
  await runNpm({
    name: "compile",
    title: "compiling the SQLite driver",
    args: ["rebuild", "--ignore-scripts=false"],
    env: compilerEnvironment(path.dirname(path.dirname(realpathSync(process.execPath)))),
  });
  writeStamp(stampFile, stamp);
}

/** Runs npm as a step; `env` is added to the environment. */
export async function runNpm({ name, title, args, env = {} }) {
  const [command, ...first] = npmCommand();
  await runStep({ name, title, command, args: [...first, ...args], env, explain: explainInstall });
}

function npmCommand() {
  const npm = process.env.npm_execpath;
  if (npm && /\.c?js$/.test(npm) && existsSync(npm)) return [process.execPath, npm];
  return [process.platform === "win32" ? "npm.cmd" : "npm"];
}

function requireCompiler() {
  if (process.platform === "win32") return;
  const compilers = [process.env.CXX, "c++", "g++", "clang++"].filter(Boolean);
  const missing = [
    compilers.some(runs) ? null : "a C++ compiler (g++ or clang++)",
    runs("make") ? null : "make",
    runs("python3") || runs("python") ? null : "python3",
  ].filter(Boolean);
  if (missing.length === 0) return;
  throw new SetupError(
    [
      `The SQLite driver has to be compiled, and this machine lacks: ${missing.join(", ")}.`,
      "  Debian, Ubuntu:  apt-get install build-essential python3",
      "  Fedora:          dnf install gcc-c++ make python3",
      "  Alpine:          apk add build-base python3",
      "  macOS:           xcode-select --install",
    ].join("\n"),
  );
}

const runs = (command) => spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;

function explainInstall(output) {
  const known = [
    [/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/, "The npm registry cannot be reached from here."],
    [/ENOSPC/, "The disk is full."],
    [/EACCES|EPERM|EROFS/, `No permission to write to ${inProject("node_modules")}.`],
    [/EUSAGE/, "package-lock.json does not match package.json; run: npm install && npm run lockfile"],
    [/EBADENGINE/, "This version of Node is not supported by a package; see package.json, engines."],
    [/gyp ERR!|node-gyp/, "The SQLite driver could not be compiled; the compiler's message is in the log."],
  ];
  return known.find(([pattern]) => pattern.test(output))?.[1] ?? null;
}
