// Installs exactly the lockfile if node_modules is missing or stale, and explains what is missing on failure.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { checksum, inProject, isStamped, writeStamp } from "./project.mjs";
import { runStep } from "./step.mjs";

const stampFile = "node_modules/.setup";
/** A driver that somebody compiled: its loader prefers these to the binary that the package brings. */
const compiledDrivers = ["build", "lib/binding"].map((folder) => `node_modules/better-sqlite3/${folder}`);

/** Whether node_modules matches package-lock.json and this version of Node. */
export const isInstalled = () => isStamped(stampFile, stampText());

const stampText = () => checksum(["package-lock.json"], [process.version, process.platform, process.arch]);

/** Installs the packages, including development ones, which the build needs whatever NODE_ENV is. */
export async function install() {
  if (isInstalled()) return;
  const stamp = stampText();
  await runNpm({
    name: "install",
    title: "installing packages",
    args: ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"],
  });
  for (const folder of compiledDrivers) rmSync(inProject(folder), { recursive: true, force: true });
  await runScripts();
  writeStamp(stampFile, stamp);
}

/**
 * Runs the packages' own scripts, although npm is configured to run none: it would compile the SQLite driver, which needs
 * no script.
 */
async function runScripts() {
  const { packages } = JSON.parse(readFileSync(inProject("package-lock.json"), "utf8"));
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([folder]) => folder.split("node_modules/").at(-1))
    .filter((name) => name !== "better-sqlite3");
  if (names.length === 0) return;
  await runNpm({
    name: "scripts",
    title: "running the packages' scripts",
    args: ["rebuild", "--ignore-scripts=false", ...new Set(names)],
  });
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

function explainInstall(output) {
  const known = [
    [/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/, "The npm registry cannot be reached from here."],
    [/ENOSPC/, "The disk is full."],
    [/EACCES|EPERM|EROFS/, `No permission to write to ${inProject("node_modules")}.`],
    [/EINTEGRITY/, "A package is not the one that its lockfile names: its checksum differs."],
    [/EUSAGE/, "package-lock.json does not match package.json; run: npm install && npm run lockfile"],
    [/EBADENGINE/, "This version of Node is not supported by a package; see package.json, engines."],
  ];
  return known.find(([pattern]) => pattern.test(output))?.[1] ?? null;
}
