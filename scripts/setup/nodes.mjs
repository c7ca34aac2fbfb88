// Versions of Node from npm: a newer one for systems whose own is too old, and the other supported ones for the tests.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { canInstall, installFromDebian } from "./debian.mjs";
import { runNpm } from "./install.mjs";
import { glibcVersion, needed } from "./node.mjs";
import { checksum, inProject, isStamped, SetupError, writeStamp } from "./project.mjs";
import { allDone, say } from "./step.mjs";

/**
 * Has a folder for each line of versions ("26") and system, with a lockfile. Each has one plain dependency: npm skips an
 * optional one without a word if its checksum is wrong.
 */
const sources = "scripts/nodes";
const system = `${process.platform}-${process.arch}`;

const sourceOf = (line) => `${sources}/${line}/${system}`;
const folderOf = (line) => inProject(".setup/nodes", line);
const executableOf = (line) => `${folderOf(line)}/node_modules/node-${system}/bin/node`;
const stampOf = (line) => `.setup/nodes/${line}/stamp`;
const stampText = (line) => checksum([sourceOf(line)]);

/** The lines that npm has for this system, newest first. Its binaries are for the GNU C library. */
function linesHere() {
  if (glibcVersion() === null) return [];
  return readdirSync(inProject(sources))
    .filter((line) => existsSync(inProject(sourceOf(line))))
    .sort((a, b) => b - a);
}

/** The supported lines other than the running one that npm has for this system, each with its executable. */
export function otherNodes() {
  const current = process.versions.node.split(".")[0];
  return linesHere()
    .filter((line) => line !== current)
    .map((line) => ({ line, executable: executableOf(line) }));
}

/** Installs the other versions of Node, exactly those of their lockfiles. */
export async function unpackNodes() {
  const nodes = otherNodes();
  if (nodes.length === 0) say("tests run on no other version of Node here: npm has none for this system");
  await allDone(nodes.map(({ line }) => unpackNode(line)));
}

async function unpackNode(line) {
  if (isStamped(stampOf(line), stampText(line)) && existsSync(executableOf(line))) return;
  rmSync(folderOf(line), { recursive: true, force: true });
  cpSync(inProject(sourceOf(line)), folderOf(line), { recursive: true });
  await runNpm({
    name: `node-${line}`,
    title: `installing Node ${line}`,
    args: ["ci", "--prefix", folderOf(line), "--ignore-scripts", "--no-audit", "--no-fund"],
  });
  writeStamp(stampOf(line), stampText(line));
}

/** Installs the version of Node of this line, such as "22". Resolves to the path of its executable. */
export async function nodeOfLine(line) {
  await unpackNode(line);
  return executableOf(line);
}

/** What the executable prints when it is asked for its version; null, with the reason, if it does not run. */
function versionOf(line) {
  const { status, stdout, stderr } = spawnSync(executableOf(line), ["--version"], { encoding: "utf8" });
  return status === 0 ? { version: stdout.trim(), reason: null } : { version: null, reason: stderr.trim() };
}

/**
 * Installs the newest Node from npm that runs on this system, and says which. Its binary may need a library that
 * this system lacks: that is installed where nobody has to be asked, else the next older line is taken. Resolves to
 * the path of its executable. Throws a SetupError where npm has none.
 */
export async function newestNode() {
  for (const line of linesHere()) {
    await unpackNode(line);
    if (/libatomic/.test(versionOf(line).reason ?? "") && canInstall()) await installFromDebian(["libatomic1"]);
    const { version, reason } = versionOf(line);
    if (version !== null) {
      say(`this Node is ${process.version}; running on ${version} from npm`);
      return executableOf(line);
    }
    say(`Node ${line} does not run here: ${reason.split("\n")[0]}`);
  }
  throw new SetupError(
    needed("npm has none for this system: install one from nodejs.org or with the system's own tools"),
  );
}

/** Whether the running Node is of the newest line that npm has for this system. */
export const isNewest = () => [undefined, process.versions.node.split(".")[0]].includes(linesHere()[0]);
