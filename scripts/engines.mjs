// Checks that no dependency excludes a version of Node that the product supports: `engines` in package.json.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { major, minVersion, satisfies } from "semver";

/** Packages that need more, each with the page in docs/decisions that says why. */
const exceptions = new Map([]);

/** What is wrong with the packages of a lockfile, in words; `engines` is the product's range of versions. */
export function faultsOf({ packages }, engines) {
  const oldest = engines.split("||").map((range) => minVersion(range).version);
  return [...faultsOfPackages(packages, oldest), ...faultsOfTypes(packages, oldest[0])];
}

function faultsOfPackages(packages, oldest) {
  return Object.entries(packages).flatMap(([key, { engines, optional }]) => {
    const name = key.slice(key.lastIndexOf("node_modules/") + 13);
    // npm leaves out an optional package that does not fit.
    if (key === "" || optional || !engines?.node || exceptions.has(name)) return [];
    const excluded = oldest.filter((version) => !satisfies(version, engines.node));
    return excluded.length > 0 ? [`${name} needs Node ${engines.node}, which excludes ${excluded.join(" and ")}.`] : [];
  });
}

/** Types of a newer Node would let code use what the oldest does not have. */
function faultsOfTypes(packages, oldest) {
  const types = packages["node_modules/@types/node"]?.version;
  const isOldest = types === undefined || major(types) === major(oldest);
  return isOldest ? [] : [`@types/node is ${types}; its major version must be that of the oldest Node, ${oldest}.`];
}

/** What the zone data of this Node lacks, in words; null if it is as new as the product knows. */
function oldZoneData() {
  const source = readFileSync(new URL("../server/process/zone-data.ts", import.meta.url), "utf8");
  const newest = /newestZoneData = "(\w+)"/.exec(source)?.[1];
  const here = process.versions.tz ?? "none";
  return here >= newest
    ? null
    : `the time zone data of Node ${process.version} is ${here}; the newest known is ${newest}`;
}

function main() {
  const old = oldZoneData();
  if (old) console.log(`Note: ${old}`);
  const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
  const faults = faultsOf(read("package-lock.json"), read("package.json").engines.node);
  if (faults.length === 0) return;
  for (const fault of faults) console.error(fault);
  console.error("Take an older version. docs/decisions/node-versions.md says how to make an exception.");
  process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
