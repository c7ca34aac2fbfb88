// How the SQLite driver is compiled, and where each version of Node finds its own.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { inProject } from "./project.mjs";

const driver = inProject("node_modules/better-sqlite3");
const compiledDriver = path.join(driver, "build/Release/better_sqlite3.node");
const objectWrap = "scripts/setup/object-wrap.h";

/** What the driver is compiled from besides its package; before Node 24, object-wrap.h changes nothing. */
export const driverSources = Number(process.versions.node.split(".")[0]) >= 24 ? [objectWrap] : [];

/** The environment for compiling the driver against the headers of the Node installed at `prefix`. */
export function compilerEnvironment(prefix) {
  const hasHeaders = existsSync(path.join(prefix, "include/node/node.h"));
  return {
    // A downloaded binary would not be covered by the lockfile's checksums.
    npm_config_build_from_source: "better-sqlite3",
    // Without headers beside it, npm's own setting is used, or they are downloaded.
    ...(hasHeaders ? { npm_config_nodedir: prefix } : {}),
    // SQLite's own default. The package's -O3 takes a third longer to compile, and SQLite gains nothing from it.
    CFLAGS: `-O2 ${process.env.CFLAGS ?? ""}`.trim(),
    CXXFLAGS: `${process.env.CXXFLAGS ?? ""} -include "${inProject(objectWrap)}"`.trim(),
  };
}

/** Where the driver looks for its binary by the version of Node (`process.versions.modules`). */
const fileFor = (modules) =>
  path.join(driver, "lib/binding", `node-v${modules}-${process.platform}-${process.arch}`, "better_sqlite3.node");

/**
 * Puts a compiled driver where Node with this `process.versions.modules` finds it. Running programs keep the old one.
 */
export function placeDriver(file, modules) {
  const target = fileFor(modules);
  mkdirSync(path.dirname(target), { recursive: true });
  copyFileSync(file, `${target}.new`);
  renameSync(`${target}.new`, target);
}

/** Moves this Node's driver away from where every version looks first: the others would fail to load it. */
export function makeRoomForOthers() {
  if (!existsSync(compiledDriver)) return;
  placeDriver(compiledDriver, process.versions.modules);
  rmSync(compiledDriver);
}
