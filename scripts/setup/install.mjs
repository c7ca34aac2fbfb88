// Installs exactly the lockfile if node_modules is missing or stale, and explains what is missing on failure.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { compilerEnvironment, driverSources } from "./driver.mjs";
import { checksum, inProject, isStamped, SetupError, writeStamp } from "./project.mjs";
import { allDone, runStep, say } from "./step.mjs";

const stampFile = "node_modules/.setup";
const driver = "better-sqlite3";
/** The driver is compiled here while the packages are still being installed, which keeps only one core busy. */
const driverFolder = inProject(".setup/driver");

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
 * Compiles the SQLite driver, and runs the other packages' own scripts once `packages` are unpacked. Only what opens a
 * database has to wait for it.
 */
export async function compile(packages) {
  if (isInstalled()) return;
  const stamp = stampText();
  await allDone([packages, compileDriver()]);
  const [compiled, target] = [driverFolder, inProject()].map((folder) => `${folder}/node_modules/${driver}/build`);
  rmSync(target, { recursive: true, force: true });
  cpSync(compiled, target, { recursive: true });
  await runScripts();
  writeStamp(stampFile, stamp);
}

/** Installs only the driver, exactly as package-lock.json says. Compiling it needs none of its dependencies. */
async function compileDriver() {
  const { version, resolved, integrity } = lockedPackages()[`node_modules/${driver}`];
  const dependencies = { [driver]: version };
  const scripts = { compile: `cd node_modules/${driver} && node-gyp rebuild --release` };
  const packages = { "": { dependencies }, [`node_modules/${driver}`]: { version, resolved, integrity } };
  mkdirSync(driverFolder, { recursive: true });
  writeFileSync(`${driverFolder}/package.json`, JSON.stringify({ private: true, dependencies, scripts }));
  writeFileSync(`${driverFolder}/package-lock.json`, JSON.stringify({ lockfileVersion: 3, packages }));
  const here = ["--prefix", driverFolder];
  await runNpm({
    name: "driver",
    title: "installing the SQLite driver",
    args: ["ci", ...here, "--ignore-scripts", "--no-audit", "--no-fund"],
  });
  await runNpm({
    name: "compile",
    title: "compiling the SQLite driver",
    args: ["run", "compile", ...here],
    env: compilerEnvironment(path.dirname(path.dirname(realpathSync(process.execPath)))),
  });
}

/** Runs the scripts of all packages but the driver, even if npm is configured to run none. */
async function runScripts() {
  const withScripts = Object.entries(lockedPackages()).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = withScripts.map(([folder]) => folder.split("node_modules/").at(-1)).filter((name) => name !== driver);
  await runNpm({
    name: "scripts",
    title: "running the packages' scripts",
    args: ["rebuild", "--ignore-scripts=false", ...new Set(names)],
  });
}

const lockedPackages = () => JSON.parse(readFileSync(inProject("package-lock.json"), "utf8")).packages;

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
