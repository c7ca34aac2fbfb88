// Code for an older version goes in time: its comment names that version and the release that deletes the code.
import type { Source } from "./source";

/** `Until v0.3.0: rows of v0.1.0 have no amount.` The first version is the release that deletes the code. */
const form = /^Until v(\d+\.\d+\.\d+): .*\bv(\d+\.\d+\.\d+)\b/;

/** What speaks of an older version in other words. */
const otherWords = new RegExp(
  [
    String.raw`\b(an? )?(earlier|older|previous|prior|former|past) (versions?|releases?)\b`,
    String.raw`\b(versions?|releases?) (before|without)\b`,
    String.raw`\bbefore (this|that|the) (version|release|column|upgrade)\b`,
    String.raw`\b(formerly|legacy|backwards?[- ]compatib\w+|backfill\w*)\b`,
    String.raw`\bv\d+\.\d+\.\d+\b`,
  ].join("|"),
  "i",
);

/** Files that are about versions as such: migrations, upgrades, backups, packages, and this check. */
const aboutVersions =
  /^(db\/(migrat|replaced-table)|server\/backup\/|test\/upgrade\/|scripts\/(migrations|generate-migrations|db-generate|engines|upgrade|setup|nodes|structure\/older-versions))/;

interface Comment {
  line: number;
  /** Its lines, without what marks them as a comment. */
  lines: string[];
}

/** The comments on lines of their own, consecutive lines as one, and those at the end of a line. */
function commentsOf(text: string): Comment[] {
  const comments: Comment[] = [];
  let isOpen = false;
  for (const [index, line] of text.split("\n").entries()) {
    const own = /^\s*(?:\/\/|\/\*+|\*)\s?(.*?)(?:\*\/)?$/.exec(line);
    const words = own ?? /\s\/\/ (.*)$/.exec(line);
    if (words?.[1] === undefined) {
      isOpen = false;
      continue;
    }
    const last = comments.at(-1);
    if (own && isOpen && last) last.lines.push(words[1].trim());
    else comments.push({ line: index + 1, lines: [words[1].trim()] });
    isOpen = own !== null;
  }
  return comments;
}

/**
 * The comments of a file that name an older version in the given form, and what is wrong with them and with others;
 * `current` is this version, as in package.json.
 */
export function olderVersions({ file, text }: Pick<Source, "file" | "text">, current: string) {
  const found: { at: string; until: string }[] = [];
  const faults: string[] = [];
  for (const { line, lines } of aboutVersions.test(file) ? [] : commentsOf(text)) {
    const at = `${file}:${line}`;
    const begun = lines.findIndex((one) => one.startsWith("Until v"));
    const [, until, older] = form.exec(lines.slice(Math.max(begun, 0)).join(" ")) ?? [];
    if (until !== undefined && older !== undefined) {
      found.push({ at, until });
      if (compareVersions(older, until) >= 0) faults.push(`${at} names v${older}, which is not older than v${until}`);
      if (compareVersions(until, current) <= 0) faults.push(`${at}: v${until} is reached, so this code goes`);
    } else if (otherWords.test(lines.join(" "))) {
      faults.push(`${at} speaks of an older version; write "Until v0.3.0: rows of v0.1.0 …", or delete the code`);
    }
  }
  return { found, faults };
}

/** Below, equal to or above 0 if `a` is older than, the same as or newer than `b`. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  const differences = (left ?? []).map((number, index) => number - (right?.[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
