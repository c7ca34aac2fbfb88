// Checks sizes of files and functions, names and first lines, and finds marks of unfinished work.
import ts from "typescript";
import { lineOf, type Source } from "./source";

const mostLines = 400;
const mostFunctionLines = 70;
/**
 * Tests may be longer: they are read case by case, and the cases of one topic belong in one file. A browser test
 * follows a user from start to finish, so its function may be longer too. The callback of a `describe` only groups
 * cases and is not counted.
 */
const mostTestLines = 500;
const mostTestFunctionLines = 120;
/** Tests that are tables, which grow with what they list. */
const testTables: Readonly<Record<string, string>> = {
  "test/stories/access.test.ts": "one row for each operation, with one outcome for each kind of caller",
};
/** Declarations of tables, which only list what there is. */
const schemaFile = /^db\/schema\//;
/** The list of all bounds and the access table grow with what they list. */
const growingList = /^server\/(kit\/limits|access\/rules)\.ts$/;
const vagueNames = /(^|\/)(utils?|helpers?|misc|common|manager)(\.|\/)/;
/** Next requires these names. */
const barrelFile = /(^|\/)index\.(tsx?|mjs)$/;

/** Route files are one line of code; their path says what they are for. */
const routeFile = /^app\/v1\/.*\/route\.ts$/;

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);

/** The faults of a file's shape, each with its path. */
export function faultsOfShape(source: Source): string[] {
  return [...faultsOfFile(source), ...longFunctions(source)];
}

function longFunctions({ file, tree }: Source): string[] {
  if (schemaFile.test(file)) return [];
  const most = isTest(file) ? mostTestFunctionLines : mostFunctionLines;
  const faults: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body && !isGroup(file, node)) {
      const from = lineOf(tree, node.body);
      const lines = tree.getLineAndCharacterOfPosition(node.body.end).line + 2 - from;
      if (lines > most) {
        faults.push(`${file}:${from} has a function of ${lines} lines; ${most} is the most`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return faults;
}

/** Whether the function groups tests, as in `describe("a refund", () => {…})`. */
const isGroup = (file: string, { parent }: ts.Node): boolean =>
  isTest(file) && ts.isCallExpression(parent) && /^(test\.)?describe\b/.test(parent.expression.getText());

function faultsOfFile({ file, text }: Source): string[] {
  const lines = text.trimEnd().split("\n");
  const most = isTest(file) ? mostTestLines : mostLines;
  const [first = ""] = lines.filter((line) => !/^(#!|["']use (client|server)["'])/.test(line));
  return [
    lines.length > most && !growingList.test(file) && !(file in testTables)
      ? `has ${lines.length} lines; ${most} is the most`
      : null,
    barrelFile.test(file) ? "is a barrel; import from the file that has it" : null,
    vagueNames.test(file) ? "has a name that says nothing" : null,
    /^(\/\/|\/\*)/.test(first) || routeFile.test(file)
      ? null
      : "does not begin with a comment that says what it is for",
    /(\/\/|\*)\s*(TODO|FIXME|XXX)\b/.test(text) ? "has a note of unfinished work" : null,
    /@ts-(ignore|nocheck|expect-error)/.test(text) && !isTest(file) ? "disables the type checker" : null,
  ]
    .filter((reason) => reason !== null)
    .map((reason) => `${file} ${reason}`);
}
