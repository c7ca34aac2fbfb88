// Which versions of Node the product runs on: `engines` in package.json.
import { readFileSync } from "node:fs";
import { inProject, SetupError } from "./project.mjs";

/**
 * Whether `version` ("20.19.0") is in `ranges` ("^20.19.0 || >=24.0.0"). Only these two forms are understood: this runs
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

/** Stops with a readable reason on a Node that is not supported. */
export function requireNode() {
  const { engines } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  if (isInRanges(process.versions.node, engines.node)) return;
  throw new SetupError(`Node ${engines.node} is needed; this is ${process.version} (nodejs.org).`);
}
