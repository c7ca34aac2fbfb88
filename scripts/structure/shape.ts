// Size, name and first line of a file, and the marks of unfinished work.
import type { Source } from "./source";

const MOST_LINES = 250;
const VAGUE_NAMES = /(^|\/)(utils?|helpers?|misc|common|manager)(\.|\/)/;
/** Next wants these names. */
const BARREL = /(^|\/)index\.(tsx?|mjs)$/;

/** A line of code each, whose path is what it is for. */
const ROUTE = /^app\/v1\/.*\/route\.ts$/;

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);

/** The faults of a file as a whole, each with the file's path. */
export function faultsOfShape({ file, text }: Source): string[] {
  const lines = text.trimEnd().split("\n");
  const [first = ""] = lines.filter((line) => !/^(#!|["']use (client|server)["'])/.test(line));
  return [
    lines.length > MOST_LINES && !isTest(file) ? `has ${lines.length} lines; ${MOST_LINES} is the most` : null,
    BARREL.test(file) ? "is a barrel; import from the file that has it" : null,
    VAGUE_NAMES.test(file) ? "has a name that says nothing" : null,
    /^(\/\/|\/\*)/.test(first) || ROUTE.test(file) ? null : "does not begin with a comment that says what it is for",
    /(\/\/|\*)\s*(TODO|FIXME|XXX)\b/.test(text) ? "has a note of unfinished work" : null,
    /@ts-(ignore|nocheck|expect-error)/.test(text) && !isTest(file) ? "switches the type checker off" : null,
  ]
    .filter((reason) => reason !== null)
    .map((reason) => `${file} ${reason}`);
}
