// Adds the optional platform packages that npm left out of package-lock.json, so that `npm ci` accepts it on every platform.
//
// npm writes no entry for an optional package that the registry of the machine at hand does not carry (often the
// binaries for other operating systems); `npm ci` then refuses the whole lockfile. Run this after each `npm install`;
// with `--check` it only reports. Entries made here have no integrity hash: npm records one where it can fetch the package.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const LOCKFILE = new URL("../package-lock.json", import.meta.url);
const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = ["arm64", "arm", "ia32", "ppc64", "riscv64", "s390x", "x64"];

/** The lockfile key at which Node would find `name` from the package at `from`, or null. */
function resolveEntry(packages, from, name) {
  for (let at = from; ; at = at.slice(0, at.lastIndexOf("node_modules/")).replace(/\/$/, "")) {
    const key = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    if (key in packages) return key;
    if (at === "") return null;
  }
}

/** What a platform package's name says about where it runs ("…-linux-arm64-musl" and its like). */
function platformOf(name) {
  const words = name.slice(name.lastIndexOf("/") + 1).split("-");
  const system = words.find((word) => SYSTEMS.includes(word));
  const processor = words.find((word) => PROCESSORS.includes(word));
  const libc = words.some((word) => word.startsWith("musl")) ? "musl" : "glibc";
  return {
    ...(processor ? { cpu: [processor] } : {}),
    ...(system ? { os: [system] } : {}),
    ...(system === "linux" && words.some((word) => /^(gnu|musl)/.test(word)) ? { libc: [libc] } : {}),
  };
}

/** Every optional dependency that the lockfile names without having an entry for it, as [key, entry]. */
export function missingEntries(lockfile) {
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

function main() {
  const lockfile = JSON.parse(readFileSync(LOCKFILE, "utf8"));
  const missing = missingEntries(lockfile);
  if (missing.length === 0) return;
  if (process.argv.includes("--check")) {
    console.error(`package-lock.json lacks ${missing.length} optional packages. Run: npm run lockfile`);
    process.exitCode = 1;
    return;
  }
  const all = [...Object.entries(lockfile.packages), ...missing];
  lockfile.packages = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(LOCKFILE, `${JSON.stringify(lockfile, null, 2)}\n`);
  console.log(`added ${missing.length} optional packages to package-lock.json`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
