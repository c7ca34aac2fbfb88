// The last release is found by its tag, or by the changelog in a clone without tags.
import { describe, expect, it } from "vitest";
import { lastRelease } from "./release.mjs";

const changelog = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-01-31\n\n- A.\n\n## [0.1.0] - 2026-11-29\n";

/** Answers each command that begins with the given words; any other fails. */
const git =
  (answers: Record<string, string>) =>
  (...args: string[]) =>
    Object.entries(answers).find(([words]) => args.join(" ").startsWith(words))?.[1] ?? null;

const tag = "rev-parse --verify --quiet refs/tags/v0.2.0^{commit}";
const shallow = "rev-parse --is-shallow-repository";
const section = "log -1 --format=%H -S## [0.2.0] -- CHANGELOG.md";

describe("the last release", () => {
  it("is that of the tag", () => {
    const release = lastRelease(changelog, git({ [tag]: "a1", [shallow]: "false", [section]: "b2" }));
    expect(release).toEqual({ version: "0.2.0", commit: "a1", by: "the tag v0.2.0" });
  });

  it("is that of the changelog's section where there are no tags", () => {
    const release = lastRelease(changelog, git({ [shallow]: "false", [section]: "b2" }));
    expect(release).toEqual({ version: "0.2.0", commit: "b2", by: "the section of 0.2.0 in CHANGELOG.md" });
  });

  it("is none before the first release", () => {
    expect(lastRelease("# Changelog\n\n## [Unreleased]\n\n- A.\n", git({}))).toBeNull();
  });

  it.each([
    ["a part of the history", { [shallow]: "true", [section]: "b2" }, "git fetch --unshallow --tags"],
    ["no repository", {}, "git fetch --unshallow --tags"],
    ["a section that is not committed", { [shallow]: "false", [section]: "" }, "commit it first"],
  ])("is refused with %s", (_, answers, reason) => {
    expect(() => lastRelease(changelog, git(answers))).toThrow(reason);
  });
});
