// Which versions of Node the product runs on: `engines` in package.json.
import { readFileSync } from "node:fs";
import { inProject, SetupError } from "./project.mjs";

/**
 * Whether `version` ("22.20.0") is in `ranges` ("^22.20.0 || >=24.0.0"). Only these two forms are understood: this runs
 * before any package is installed.
 */
export function isInRanges(version, ranges) {
  const numbers = (text) => text.match(/\d+/g).map(Number);
  const [major, minor, patch] = numbers(version);
  return ranges.split("||").some((range) => {
    const [oldestMajor, oldestMinor, oldestPatch] = numbers(range);
    if (major !== oldestMajor) return range.includes(">=") && major > oldestMajor;
    return minor > oldestMinor || (minor === oldestMinor && patch >= oldestPatch);
  });
}

const ranges = () => JSON.parse(readFileSync(inProject("package.json"), "utf8")).engines.node;

/** Whether this Node is supported. */
export const isSupported = () => isInRanges(process.versions.node, ranges());

/** Stops with a readable reason on a Node that is not supported, before it loads anything compiled. */
export function requireNode() {
  if (!isSupported()) throw new SetupError(needed("nodejs.org has it"));
}

/** Says which Node is needed, and `how` to get it. */
export const needed = (how) => `Node ${ranges()} is needed; this is ${process.version}. ${how}.`;

/** What this process knows about its system. */
function systemReport() {
  process.report.excludeNetwork = true;
  return process.report.getReport().header;
}

/** The version of the GNU C library ("2.36"); null on a system with another one. */
export const glibcVersion = () => systemReport().glibcVersionRuntime ?? null;

/** The oldest GNU C library with which the SQLite driver's binary works. */
const oldestGlibc = [2, 34];

/** Stops with a readable reason where the compiled packages cannot be loaded. */
export function requireSystem() {
  const version = process.platform === "linux" ? glibcVersion() : null;
  if (version === null) return;
  const [major, minor] = version.split(".").map(Number);
  if (major > oldestGlibc[0] || (major === oldestGlibc[0] && minor >= oldestGlibc[1])) return;
  throw new SetupError(
    `The SQLite driver needs the GNU C library ${oldestGlibc.join(".")} or newer, or musl; this system has ${version}. ` +
      "Debian 12, Ubuntu 22.04 and newer systems have it.",
  );
}
