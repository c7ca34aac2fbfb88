// Builds the server of a release in a folder of its own, with the packages of its lockfile.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runNpm } from "../setup/install.mjs";
import { inProject, root } from "../setup/project.mjs";
import { bundleServer } from "./program.mjs";

/** Writes the tree of the release's commit to `folder`, and its program to `server.mjs` there. */
export async function buildRelease({ version, commit }, folder) {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  const [own, current] = [folder, root].map((at) => readFileSync(path.join(at, "package-lock.json"), "utf8"));
  if (own === current) symlinkSync(inProject("node_modules"), path.join(folder, "node_modules"));
  else {
    await runNpm({
      name: "upgrade-packages",
      title: `installing the packages of ${version}`,
      args: ["ci", "--prefix", folder, "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"],
    });
  }
  writeFileSync(path.join(folder, "server.mjs"), await bundleServer(folder));
}
