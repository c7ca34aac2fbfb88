// Checks sizes of files and functions, names and first lines, and finds marks of unfinished work.
import ts from "typescript";
import { lineOf, type Source } from "./source";

const MOST_LINES = 250;
const MOST_FUNCTION_LINES = 70;
/** Declarations of tables, which only list what there is. */
const TABLES = /^db\/schema\//;
const VAGUE_NAMES = /(^|\/)(utils?|helpers?|misc|common|manager)(\.|\/)/;
/** Next requires these names. */
const BARREL = /(^|\/)index\.(tsx?|mjs)$/;

/** Route files are one line of code; their path says what they are for. */
const ROUTE = /^app\/v1\/.*\/route\.ts$/;

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);

/** The faults of a file's shape, each with its path. */
export function faultsOfShape(source: Source): string[] {
  return [...faultsOfFile(source), ...longFunctions(source)];
}

function longFunctions({ file, tree }: Source): string[] {
  if (isTest(file) || TABLES.test(file)) return [];
  const faults: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      const from = lineOf(tree, node.body);
      const lines = tree.getLineAndCharacterOfPosition(node.body.end).line + 2 - from;
      if (lines > MOST_FUNCTION_LINES) {
        faults.push(`${file}:${from} has a function of ${lines} lines; ${MOST_FUNCTION_LINES} is the most`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return faults;
}

function faultsOfFile({ file, text }: Source): string[] {
  const lines = text.trimEnd().split("\n");
  const [first = ""] = lines.filter((line) => !/^(#!|["']use (client|server)["'])/.test(line));
  return [
    lines.length > MOST_LINES && !isTest(file) ? `has ${lines.length} lines; ${MOST_LINES} is the most` : null,
    BARREL.test(file) ? "is a barrel; import from the file that has it" : null,
    VAGUE_NAMES.test(file) ? "has a name that says nothing" : null,
    /^(\/\/|\/\*)/.test(first) || ROUTE.test(file) ? null : "does not begin with a comment that says what it is for",
    /(\/\/|\*)\s*(TODO|FIXME|XXX)\b/.test(text) ? "has a note of unfinished work" : null,
    /@ts-(ignore|nocheck|expect-error)/.test(text) && !isTest(file) ? "disables the type checker" : null,
  ]
    .filter((reason) => reason !== null)
    .map((reason) => `${file} ${reason}`);
}
