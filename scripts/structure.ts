// Checks what formatter and types cannot: imports, the place of SQL and permissions, sizes, names and texts.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { faultsOfAccess } from "./structure/access";
import { faultsOfBounds } from "./structure/bounds";
import { faultsOfExports } from "./structure/exports";
import { faultsOfImports } from "./structure/imports";
import { olderVersions } from "./structure/older-versions";
import { faultsOfShape } from "./structure/shape";
import { readSource } from "./structure/source";
import { faultsOfSql } from "./structure/sql";
import { faultsOfTexts } from "./structure/texts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders = ["app", "server", "db", "test", "e2e", "scripts", "bench"];
const files = ["proxy.ts", "instrumentation.ts", "next.config.js", "vitest.config.ts", "playwright.config.ts"];
const catalogs = readdirSync(path.join(root, "messages")).map((file) => `messages/${file}`);
const notOurs = [
  "db/migrations",
  "e2e/clients/generated",
  "e2e/clients/node_modules",
  "scripts/lighthouse/node_modules",
];

/** Every source file below a folder, as paths relative to the root with forward slashes. */
function sourcesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (notOurs.includes(name)) return [];
    if (entry.isDirectory()) return sourcesIn(name);
    return /\.(tsx?|[mc]?js)$/.test(entry.name) ? [name] : [];
  });
}

const sources = [...folders.flatMap(sourcesIn), ...files].map((file) => readSource(root, file));
const ofSources = sources.flatMap((source) => [
  ...faultsOfShape(source),
  ...faultsOfImports(source),
  ...faultsOfTexts(source),
  ...faultsOfBounds(source),
  ...faultsOfAccess(source),
]);
const ofCatalogs = catalogs.flatMap((file) => faultsOfBounds(readSource(root, file)));
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const older = sources.map((source) => olderVersions(source, version));
const ofOlder = older.flatMap(({ faults }) => faults);
const faults = [...ofSources, ...ofCatalogs, ...faultsOfSql(sources), ...faultsOfExports(sources), ...ofOlder];
const places = older.flatMap(({ found }) => found);
if (places.length > 0) console.log(`${places.length} places are for older versions`);
for (const { at, until } of places) console.log(`${at} goes with v${until}`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(`\n${faults.length} structure faults in ${sources.length} files`);
  process.exitCode = 1;
}
