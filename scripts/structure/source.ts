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
  /** What it imports by name, and as what. */
  names: readonly { imported: string; local: string }[];
  line: number;
};

export type Source = { file: string; text: string; tree: ts.SourceFile; imports: Import[] };

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
  return { file, text, tree, imports: importsOf(file, tree) };
}

/** The line of a node, counted from 1. */
export function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

function importsOf(file: string, tree: ts.SourceFile): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, isTypeOnly: boolean, names: Import["names"] = []) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    found.push({ ...resolve(file, specifier.text), isTypeOnly, names, line: lineOf(tree, specifier) });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause), namesOf(node));
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
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
  const bare = (target: string) => target.replace(/\.(tsx?|mjs|js)$/, "");
  if (specifier.startsWith("@/")) return { target: bare(specifier.slice(2)), isOwn: true };
  if (!specifier.startsWith(".")) return { target: specifier, isOwn: false };
  return { target: bare(path.posix.join(path.posix.dirname(file), specifier)), isOwn: true };
}
