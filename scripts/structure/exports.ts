// What a file exports is used by another file: a name that only its own file uses is not exported.
import ts from "typescript";
import { lineOf, type Source } from "./source";

/** Files whose exports are used from outside: by Next, by tools, and by bundles of the tests. */
const usedElsewhere = [
  /^app\/(.*\/)?(page|layout|route|error|global-error|not-found|forbidden|loading|template)\.tsx?$/,
  /^(proxy|instrumentation|[^/]+\.config)\.[jt]s$/,
  /^e2e\/clients\/walks\//,
];

/** Exported names that no other file imports, each with file and line. */
export function faultsOfExports(sources: readonly Source[]): string[] {
  const used = new Map<string, Set<string>>();
  const usedWhole = new Set<string>();
  for (const { target, isOwn, form, names } of sources.flatMap(({ imports }) => imports)) {
    if (!isOwn) continue;
    if (form === "whole") usedWhole.add(target);
    used.set(target, new Set([...(used.get(target) ?? []), ...names.map(({ imported }) => imported)]));
  }
  return sources.flatMap(({ file, tree }) => {
    const module = file.replace(/\.(tsx?|[mc]?js)$/, "");
    if (usedWhole.has(module) || usedElsewhere.some((path) => path.test(file))) return [];
    return exportsOf(tree)
      .filter(({ name }) => used.get(module)?.has(name) !== true)
      .map(({ name, line }) => `${file}:${line} exports ${name}, which no other file imports`);
  });
}

/** The exported declarations, apart from the default. */
function exportsOf(tree: ts.SourceFile): { name: string; line: number }[] {
  const listed = tree.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier || !statement.exportClause) return [];
    if (!ts.isNamedExports(statement.exportClause)) return [];
    return statement.exportClause.elements.map(({ name }) => ({ name: name.text, line: lineOf(tree, statement) }));
  });
  const declared = tree.statements.filter(isExported).flatMap((statement) => {
    const names = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.flatMap(({ name }) => namesIn(name))
      : [(statement as ts.DeclarationStatement).name?.getText(tree) ?? ""];
    return names.map((name) => ({ name, line: lineOf(tree, statement) }));
  });
  return [...listed, ...declared];
}

const namesIn = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []));

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  const kinds = modifiers.map(({ kind }) => kind);
  return kinds.includes(ts.SyntaxKind.ExportKeyword) && !kinds.includes(ts.SyntaxKind.DefaultKeyword);
}
