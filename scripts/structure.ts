// Checks what formatter and types cannot: imports, the place of SQL and permissions, sizes, names and texts.
import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { faultsOfAccess } from "./structure/access";
import { faultsOfBounds } from "./structure/bounds";
import { faultsOfImports } from "./structure/imports";
import { faultsOfShape } from "./structure/shape";
import { readSource } from "./structure/source";
import { faultsOfSql } from "./structure/sql";
import { faultsOfTexts } from "./structure/texts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDERS = ["app", "server", "db", "test", "e2e", "scripts", "bench"];
const FILES = ["proxy.ts", "instrumentation.ts", "next.config.js", "vitest.config.ts", "playwright.config.ts"];
const CATALOGS = ["messages/en.json", "messages/de.json"];
const NOT_OURS = ["db/migrations", "e2e/clients/generated", "e2e/clients/node_modules"];

/** Every source file below a folder, as paths relative to the root with forward slashes. */
function sourcesIn(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (NOT_OURS.includes(name)) return [];
    if (entry.isDirectory()) return sourcesIn(name);
    return /\.(tsx?|mjs)$/.test(entry.name) ? [name] : [];
  });
}

const sources = [...FOLDERS.flatMap(sourcesIn), ...FILES].map((file) => readSource(ROOT, file));
const ofSources = sources.flatMap((source) => [
  ...faultsOfShape(source),
  ...faultsOfImports(source),
  ...faultsOfTexts(source),
  ...faultsOfBounds(source),
  ...faultsOfAccess(source),
]);
const ofCatalogs = CATALOGS.flatMap((file) => faultsOfBounds(readSource(ROOT, file)));
const faults = [...ofSources, ...ofCatalogs, ...faultsOfSql(sources)];
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(`\n${faults.length} structure faults in ${sources.length} files`);
  process.exitCode = 1;
}
