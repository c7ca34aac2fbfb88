// A source file as the structure rules see it: path, text, syntax tree and imports.
import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

export type Import = {
  /** A path from the root without extension ("server/users/store") or a package ("drizzle-orm"). */
  target: string;
  /** False for a package. */
  isOwn: boolean;
  /** True if nothing of the import is left after compilation. */
  isTypeOnly: boolean;
  /** `names`: lists what it imports. `whole`: imports all, or does not say what. `mock`: a test replaces the module. */
  form: "names" | "whole" | "mock";
  /** What it imports by name, and as what. */
  names: readonly { imported: string; local: string }[];
  line: number;
};

export type Source = {
  file: string;
  text: string;
  tree: ts.SourceFile;
  imports: Import[];
  /** The lines of imports whose module is computed. */
  computedImports: number[];
};

const kinds: Record<string, ts.ScriptKind> = {
  ".tsx": ts.ScriptKind.TSX,
  ".ts": ts.ScriptKind.TS,
  ".json": ts.ScriptKind.JSON,
};

/** Reads and parses one file; `file` is relative to `root` with forward slashes. */
export function readSource(root: string, file: string): Source {
  const text = readFileSync(path.join(root, file), "utf8");
  return parseSource(file, text);
}

/** Parses a file's text. Its path resolves relative imports. */
export function parseSource(file: string, text: string): Source {
  const kind = kinds[path.extname(file)] ?? ts.ScriptKind.JS;
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  return { file, text, tree, ...importsOf(file, tree) };
}

/** The line of a node, counted from 1. */
export function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

/** Functions of vitest that take the path of a module. */
const mocking = /^vi\.(mock|doMock|unmock|doUnmock|importActual|importMock)$/;

function importsOf(file: string, tree: ts.SourceFile): Pick<Source, "imports" | "computedImports"> {
  const imports: Import[] = [];
  const computedImports: number[] = [];
  const add = (specifier: ts.Node | undefined, rest: Pick<Import, "isTypeOnly" | "form" | "names">) => {
    if (!specifier) return;
    const line = lineOf(tree, specifier);
    if (ts.isStringLiteralLike(specifier)) imports.push({ ...resolve(file, specifier.text), ...rest, line });
    else computedImports.push(line);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, clauseOf(node));
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, { isTypeOnly: node.isTypeOnly, ...whole });
    if (ts.isExternalModuleReference(node)) add(node.expression, { isTypeOnly: false, ...whole });
    if (ts.isCallExpression(node)) {
      const callee = node.expression.getText(tree);
      const isImport = callee === "import" || callee === "require";
      if (isImport) add(node.arguments[0], { isTypeOnly: false, ...whole });
      if (mocking.test(callee)) add(node.arguments[0], { isTypeOnly: false, form: "mock", names: [] });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { imports, computedImports };
}

const whole = { form: "whole", names: [] } as const;

function clauseOf(node: ts.ImportDeclaration): Pick<Import, "isTypeOnly" | "form" | "names"> {
  const bindings = node.importClause?.namedBindings;
  const form = bindings && ts.isNamespaceImport(bindings) ? "whole" : "names";
  return { isTypeOnly: isTypeImport(node.importClause), form, names: namesOf(node) };
}

function namesOf({ importClause }: ts.ImportDeclaration): Import["names"] {
  const bindings = importClause?.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings)) return [];
  return bindings.elements.map(({ name, propertyName }) => ({
    imported: (propertyName ?? name).text,
    local: name.text,
  }));
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const bindings = clause.namedBindings;
  if (clause.name || !bindings || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
}

function resolve(file: string, specifier: string): { target: string; isOwn: boolean } {
  const bare = (target: string) => target.replace(/\.(tsx?|[mc]?js)$/, "");
  if (specifier.startsWith("@/")) return { target: bare(specifier.slice(2)), isOwn: true };
  if (!specifier.startsWith(".")) return { target: specifier, isOwn: false };
  return { target: bare(path.posix.join(path.posix.dirname(file), specifier)), isOwn: true };
}
