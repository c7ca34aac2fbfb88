// The access table decides who may do what: no file outside server/access compares roles or kinds of callers.
import ts from "typescript";
import { lineOf, type Source } from "./source";

/** Files that tell callers apart for another reason than permission. */
const exceptions: Readonly<Record<string, string>> = {
  "server/kit/identity.ts": "says who a caller is, for records, limits and defaults",
};

const roles = ["admin", "member", "operator", "viewer"];
const kinds = ["anonymous", "api_key"];
/** Also kinds of callers, but these words have other meanings too, so only comparisons with an actor count. */
const actorKinds = ["user", "system"];

const queryComparisons = ["eq", "ne", "inArray", "notInArray"];

const equality = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
];

/** Comparisons with a role or a kind of caller, each with file and line. */
export function faultsOfAccess({ file, tree }: Source): string[] {
  const isProduct = /^(server|app)\//.test(file) && !/\.test\.tsx?$/.test(file);
  if (!isProduct || file.startsWith("server/access/") || file in exceptions) return [];
  const faults: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isDecision(node)) {
      faults.push(`${file}:${lineOf(tree, node)} decides by a role or a kind of caller; ask server/access/may.ts`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return faults;
}

function isDecision(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node) && equality.includes(node.operatorToken.kind)) {
    return namesCaller(node.left, node.right) || namesCaller(node.right, node.left);
  }
  if (ts.isCaseClause(node)) return namesCaller(node.expression, node.parent.parent.expression);
  if (isRoleInQuery(node)) return true;
  // `["admin", "owner"].includes(role)`
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    const [argument] = node.arguments;
    if (name.text !== "includes" || !argument || !ts.isArrayLiteralExpression(expression)) return false;
    return expression.elements.some((element) => namesCaller(element, argument));
  }
  return false;
}

/** `eq(users.role, "admin")`, `inArray(users.role, ["admin"])`, and `role = 'admin'` in the text of a query. */
function isRoleInQuery(node: ts.Node): boolean {
  if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    const isQuery = ts.isTaggedTemplateExpression(node.parent) && /^sql\b/.test(node.parent.tag.getText());
    return isQuery && roles.some((role) => node.getText().includes(`'${role}'`));
  }
  if (!ts.isCallExpression(node) || !queryComparisons.includes(node.expression.getText())) return false;
  const values = node.arguments.flatMap((one) => (ts.isArrayLiteralExpression(one) ? [...one.elements] : [one]));
  return values.some((value) => ts.isStringLiteralLike(value) && roles.includes(value.text));
}

/** Whether the value is a role or a kind of caller, compared with `other`. */
function namesCaller(value: ts.Expression, other: ts.Expression): boolean {
  if (!ts.isStringLiteralLike(value)) return false;
  if (roles.includes(value.text) || kinds.includes(value.text)) return true;
  return actorKinds.includes(value.text) && /actor|caller/i.test(other.getText());
}
