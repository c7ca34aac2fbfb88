// The files that differ from main: committed on this branch, staged, changed or new.
import { spawnSync } from "node:child_process";
import { root, SetupError } from "../setup/project.mjs";

/** What git prints, as a list; null if it fails. */
function git(...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.split("\0").filter(Boolean) : null;
}

/** Paths from the root, those of deleted files too. Throws a SetupError in a folder that has no history of main. */
export function changedFiles() {
  const base = ["main", "origin/main"].map((branch) => git("merge-base", "HEAD", branch)?.[0].trim()).find(Boolean);
  if (base === undefined) throw new SetupError("There is no branch main here to compare with.");
  const changed = git("diff", "--name-only", "--no-renames", "-z", base);
  const added = git("ls-files", "--others", "--exclude-standard", "-z");
  return [...new Set([...changed, ...added])].sort();
}
