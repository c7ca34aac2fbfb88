// Completes package-lock.json, so that `npm ci` accepts it on every platform and verifies every hash.
//
// npm writes no entry for an optional package that the current registry does not carry (often binaries for other
// operating systems), and `npm ci` then refuses the whole lockfile. This adds the missing entries. A hash comes from
// the registry, so the entry of a package that the registry lacks stays without one until this runs with a registry
// that has the package. Run it after each `npm install`. With `--check` it contacts no registry and only reports.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const lockfileUrl = new URL("../package-lock.json", import.meta.url);
const systems = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const processors = ["arm64", "arm", "ia32", "ppc64", "riscv64", "s390x", "x64"];

/** The lockfile key at which Node would find `name` from the package at `from`, or null. */
function resolveEntry(packages, from, name) {
  for (let at = from; ; at = at.slice(0, at.lastIndexOf("node_modules/")).replace(/\/$/, "")) {
    const key = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    if (key in packages) return key;
    if (at === "") return null;
  }
}

/** The platform that a package's name indicates ("…-linux-arm64-musl" and the like). */
function platformOf(name) {
  const words = name.slice(name.lastIndexOf("/") + 1).split("-");
  const system = words.find((word) => systems.includes(word));
  const processor = words.find((word) => processors.includes(word));
  const libc = words.some((word) => word.startsWith("musl")) ? "musl" : "glibc";
  return {
    ...(processor ? { cpu: [processor] } : {}),
    ...(system ? { os: [system] } : {}),
    ...(system === "linux" && words.some((word) => /^(gnu|musl)/.test(word)) ? { libc: [libc] } : {}),
  };
}

/** Every optional dependency that the lockfile names but has no entry for, as [key, entry]. */
function missingEntries(lockfile) {
  const found = new Map();
  for (const [from, entry] of Object.entries(lockfile.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (resolveEntry(lockfile.packages, from, name) !== null) continue;
      const exact = version.replace(/^[\^~]/, "");
      const scope = entry.dev ? { dev: true } : {};
      found.set(`node_modules/${name}`, { version: exact, ...platformOf(name), ...scope, optional: true });
    }
  }
  return [...found];
}

/** The lockfile keys of packages that npm would install without checking a hash. */
const withoutHash = ({ packages }) =>
  Object.keys(packages).filter((key) => key !== "" && !packages[key].link && !packages[key].integrity);

/** Whether the package is for some platforms only, so that the current registry may not carry it. */
const isForPlatforms = ({ optional, os }) => optional === true && os !== undefined;

/** The package's hash in the registry; null if the registry does not carry it. */
function hashOf(key, { name = key.slice(key.lastIndexOf("node_modules/") + 13), version }) {
  try {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    return execFileSync("npm", ["view", `${name}@${version}`, "dist.integrity"], options).trim() || null;
  } catch {
    return null;
  }
}

/** The lockfile's faults, as messages. */
function faultsOf(lockfile) {
  const missing = missingEntries(lockfile).length;
  const unhashed = withoutHash(lockfile).filter((key) => !isForPlatforms(lockfile.packages[key]));
  return [
    ...(missing > 0 ? [`package-lock.json lacks ${missing} optional packages. Run: npm run lockfile`] : []),
    ...unhashed.map((key) => `package-lock.json has no hash of ${key}. Run: npm run lockfile`),
  ];
}

function complete(lockfile) {
  const missing = missingEntries(lockfile);
  const all = [...Object.entries(lockfile.packages), ...missing];
  lockfile.packages = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  const unhashed = withoutHash(lockfile);
  for (const key of unhashed) {
    const integrity = hashOf(key, lockfile.packages[key]);
    if (integrity !== null) lockfile.packages[key].integrity = integrity;
  }
  const left = withoutHash(lockfile).length;
  console.log(
    `added ${missing.length} optional packages and ${unhashed.length - left} hashes; ${left} hashes are missing`,
  );
}

function main() {
  const lockfile = JSON.parse(readFileSync(lockfileUrl, "utf8"));
  if (process.argv.includes("--check")) {
    const faults = faultsOf(lockfile);
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) process.exitCode = 1;
    return;
  }
  complete(lockfile);
  writeFileSync(lockfileUrl, `${JSON.stringify(lockfile, null, 2)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
