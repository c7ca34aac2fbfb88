// Text that people read in the browser comes from the message catalog, never from a TSX file.
import ts from "typescript";
import { lineOf, type Source } from "./source";

const readAttributes = ["label", "title", "placeholder", "alt", "description", "aria-label", "aria-description"];
const hasWord = (text: string) => /\p{L}{2,}/u.test(text);

/** Literal texts in a TSX file of the app, each with file and line. */
export function faultsOfTexts({ file, tree }: Source): string[] {
  if (!file.startsWith("app/") || !file.endsWith(".tsx") || file.endsWith(".test.tsx")) return [];
  const faults: string[] = [];
  const report = (node: ts.Node, text: string) =>
    faults.push(`${file}:${lineOf(tree, node)} has the text "${text.trim()}"; texts belong in messages/*.json`);
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && hasWord(node.text)) report(node, node.text);
    if (ts.isJsxAttribute(node)) {
      const text = readText(node);
      if (text !== null) report(node, text);
    }
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent) && node.expression) {
      if (ts.isStringLiteralLike(node.expression) && hasWord(node.expression.text)) report(node, node.expression.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return faults;
}

/** The literal text of an attribute that people read, or null. */
function readText({ name, initializer }: ts.JsxAttribute): string | null {
  const value = initializer && ts.isJsxExpression(initializer) ? initializer.expression : initializer;
  if (!value || !ts.isStringLiteralLike(value)) return null;
  return readAttributes.includes(name.getText()) && hasWord(value.text) ? value.text : null;
}
