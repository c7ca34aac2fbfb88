// Finds the last release: its version in CHANGELOG.md, and its commit.
import { SetupError } from "../setup/project.mjs";

/**
 * The last release that the text of the changelog names, its commit, and by what the commit was found: the tag, or in a
 * clone without tags the commit that gave the changelog its section. Null before the first release. `git` runs git and
 * returns its output, null on failure. Throws a SetupError if the history does not have the commit.
 */
export function lastRelease(changelog, git) {
  const [, version] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(changelog) ?? [];
  if (version === undefined) return null;
  const tagged = git("rev-parse", "--verify", "--quiet", `refs/tags/v${version}^{commit}`);
  if (tagged) return { version, commit: tagged, by: `the tag v${version}` };
  // The first commit of a part of the history seems to have written everything.
  if (git("rev-parse", "--is-shallow-repository") !== "false") {
    throw new SetupError("This clone lacks the history: git fetch --unshallow --tags");
  }
  const commit = git("log", "-1", "--format=%H", `-S## [${version}]`, "--", "CHANGELOG.md");
  if (!commit) throw new SetupError(`No commit gave CHANGELOG.md the section of ${version}: commit it first.`);
  return { version, commit, by: `the section of ${version} in CHANGELOG.md` };
}
