// Bounds come from server/kit/limits.ts by name. Anywhere else in the product, a number that bounds something is a
// fault.
import ts from "typescript";
import { lineOf, type Source } from "./source";

const productFile = /^(app|server|db|messages)\//;
const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);
/**
 * Files that may contain such numbers: the bounds, the ranges of settings, and the proof, which shares no code with the
 * product.
 */
const declaring = [
  /^server\/kit\/limits\.ts$/,
  /^server\/process\/env-(schema|values)\.ts$/,
  /^server\/domains\/ledger\/verify\//,
];

const schemaMethods = ["max", "min", "length", "lt", "lte", "gt", "gte", "maxLength", "minLength"];
const boundingNames = ["maxLength", "minLength", "maxlength", "minlength", "max"];
/** A constant whose name says that it bounds something. One that ends in a unit of time is a pause or a timeout. */
const boundingConstant = /^(most|max|maximum|largest|longest)([A-Z]|$)|(AtOnce|PerUser|[bB]atchSize|[pP]ageSize)$/;
const timeUnit = /(Ms|Seconds|Minutes|Hours|Days)$/;
/** A shorter cut takes a part of something with a known shape, such as the groups of an address. */
const shortestCut = 10;
/** `{1,40}` in a pattern. `{26}` is a format, not a bound. */
const range = /\{\d*,\d+\}/;
const boundInText =
  /\d[\d,. ]*(KiB|MiB|GiB|characters|Zeichen)\b|\bat (most|least) \d|\b(max|min)length="?\d|\bbetween \d+ and \d{2,}/i;
const units: Record<string, string> = { "3600000": "hourMs", "86400000": "dayMs" };

/** Numbers that bound something in a product file or a message catalog, each with file and line. */
export function faultsOfBounds({ file, tree }: Source): string[] {
  if (!productFile.test(file) || isTest(file) || declaring.some((path) => path.test(file))) return [];
  const faults: string[] = [];
  const visit = (node: ts.Node): void => {
    const found = boundIn(node);
    if (found !== null) faults.push(`${file}:${lineOf(tree, node)} has ${found}; take it from server/kit/limits.ts`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return faults;
}

function boundIn(node: ts.Node): string | null {
  if (ts.isCallExpression(node)) return boundInCall(node);
  if (ts.isJsxAttribute(node)) return boundNamed(node.name.getText(), node.initializer);
  if (ts.isPropertyAssignment(node)) return boundNamed(node.name.getText(), node.initializer);
  if (ts.isVariableDeclaration(node)) return boundInConstant(node);
  if (ts.isNumericLiteral(node)) return units[node.text] ?? null;
  if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) return boundInText.exec(node.text)?.[0] ?? null;
  return null;
}

/** `.max(40)` and `.regex(/^.{1,40}$/)` of a schema, and `.slice(0, 40)` of a text. */
function boundInCall({ expression: callee, arguments: [first, second] }: ts.CallExpression): string | null {
  if (!ts.isPropertyAccessExpression(callee) || first === undefined) return null;
  const { name, expression: object } = callee;
  if (schemaMethods.includes(name.text) && object.getText() !== "Math") {
    return isBound(first) ? `.${name.text}(${first.getText()})` : null;
  }
  if (name.text === "regex" && ts.isRegularExpressionLiteral(first)) return range.exec(first.text)?.[0] ?? null;
  const isCut =
    name.text === "slice" && first.getText() === "0" && second !== undefined && isBound(second, shortestCut);
  return isCut && !isOfKnownLength(object) ? `.slice(0, ${second.getText()})` : null;
}

/** A digest, or an instant in ISO 8601: cutting it takes a part with a meaning. */
const isOfKnownLength = (text: ts.Expression): boolean => /\.(digest|toISOString)\([^()]*\)$/.test(text.getText());

function boundNamed(name: string, initializer: ts.Node | undefined): string | null {
  if (!boundingNames.includes(name) || !initializer) return null;
  const value = ts.isJsxExpression(initializer) ? initializer.expression : initializer;
  return value && (isBound(value) || (ts.isStringLiteral(value) && /^\d+$/.test(value.text)))
    ? `${name} ${value.getText()}`
    : null;
}

function boundInConstant({ name, initializer }: ts.VariableDeclaration): string | null {
  const text = name.getText();
  if (!initializer || !boundingConstant.test(text) || timeUnit.test(text)) return null;
  return isBound(initializer) ? `${text} = ${initializer.getText()}` : null;
}

/** A number, or a product of numbers. Zero and one only say whether there is something. */
function isBound(node: ts.Node, least = 2): boolean {
  if (ts.isNumericLiteral(node)) return Number(node.text) >= least;
  return ts.isBinaryExpression(node) && isBound(node.left) && isBound(node.right);
}
