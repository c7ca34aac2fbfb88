// Unit and property tests: those that open a database run on each engine (`--project "sqlite*"` or `"postgres*"`), all
// others once (`--project "once*"`).
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { requireNode } from "./scripts/setup/node.mjs";

requireNode();

const folders = ["server", "db", "scripts", "app", "test"];
/** The only module through which tests open a database; test/world.ts and others build on it. */
const database = "test/database";

const root = import.meta.dirname;
const textOf = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Every unit test, as a path from the root. */
const tests = folders.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes("node_modules"))
    .map((file) => path.posix.join(folder, file)),
);

/**
 * Whether a test replaces modules, and so must load its own. All other tests of a worker share modules, which is
 * faster.
 */
const replacesModules = (file: string): boolean => /\bvi\.(mock|doMock|resetModules)\(/.test(textOf(file));

/** The test support files and tests that a file imports, as paths from the root without extension. */
function testSupportOf(file: string): string[] {
  const imports = [...textOf(file).matchAll(/\b(?:from|import)\s*\(?\s*"([@.]+\/[^"]+)"/g)];
  return imports
    .map(([, target = ""]) => target)
    .map((target) => (target.startsWith("@/") ? target.slice(2) : path.posix.join(path.posix.dirname(file), target)))
    .filter((target) => target.startsWith("test/") || target.endsWith(".test"));
}

/** Tells whether a module imports `target`, directly or indirectly. */
function importersOf(target: string): (module: string) => boolean {
  const importers = new Map([[target, true]]);
  return function isImporter(module) {
    const known = importers.get(module);
    if (known !== undefined) return known;
    importers.set(module, false);
    const isOne = testSupportOf(`${module}.ts`).some(isImporter);
    importers.set(module, isOne);
    return isOne;
  };
}

const opensDatabases = importersOf(database);
const plansFaults = importersOf("test/provider-faults");

/**
 * Whether a test's result may depend on the engine: it opens a database through test/database.ts, is in db/, or uses
 * the SQLite driver or the PostgreSQL server itself, which are not yet set up when the others run. A test that opens a
 * database in any other way fails in the project "once", which has none.
 */
export const needsDatabase = (file: string): boolean =>
  file.startsWith("db/") ||
  /^\s*import \w+ from "better-sqlite3"|setup\/postgres\.mjs"/m.test(textOf(file)) ||
  testSupportOf(file).some(opensDatabases);

/**
 * Projects of the same environment: files that share loaded modules, those that share them with a provider that can
 * fail, and those that load their own.
 */
function projects(name: string, files: readonly string[], env: Record<string, string>, setupFiles: string[] = []) {
  const apart = files.filter(replacesModules);
  const faulty = files.filter((file) => !apart.includes(file) && testSupportOf(file).some(plansFaults));
  const together = files.filter((file) => !apart.includes(file) && !faulty.includes(file));
  const faultySetup = [...setupFiles, "test/faulty-provider.ts"];
  return [
    { extends: true as const, test: { name: `${name}-together`, env, isolate: false, include: together, setupFiles } },
    {
      extends: true as const,
      test: { name: `${name}-faulty`, env, isolate: false, include: faulty, setupFiles: faultySetup },
    },
    { extends: true as const, test: { name: `${name}-apart`, env, include: apart, setupFiles } },
  ].filter(({ test }) => test.include.length > 0);
}

/** The suite on one engine. db/dialect.ts reads DATABASE_URL when modules load, so it is set for the whole project. */
function engine(name: "sqlite" | "postgres", databaseUrl: string) {
  // Features of one engine are tested in files named after it.
  const other = `.${name === "sqlite" ? "postgres" : "sqlite"}.test.ts`;
  const files = tests.filter((file) => needsDatabase(file) && !file.endsWith(other));
  const env = { TEST_ENGINE: name, DATABASE_URL: databaseUrl, SECRET_KEY: "" };
  return projects(name, files, env, ["test/remembered-passwords.ts"]);
}

/** Neither names a server, so a test that opens a database fails. */
const noDatabase = { DATABASE_URL: "postgres://127.0.0.1:1/none", TEST_DATABASE_URL_PG: "" };
const once = tests.filter((file) => !needsDatabase(file));

export default defineConfig({
  resolve: { alias: { "@": root } },
  test: {
    setupFiles: ["test/new-process.ts"],
    // The projects, and the runs on other versions of Node, share compiled modules. The cache's key contains the names of
    // the plugins, and a changed lockfile empties the cache.
    experimental: { fsModuleCache: true, fsModuleCachePath: path.join(root, ".setup/modules") },
    environment: "node",
    pool: "forks",
    // One worker more than there are cores, because some tests wait. The default leaves a core idle.
    maxWorkers: availableParallelism() + 1,
    // Far more than any test takes: a machine may be several times slower for a while. Only a hang reaches it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { NODE_ENV: "test", LOG_LEVEL: "silent" },
    projects: [
      ...projects("once", once, { ...noDatabase, SECRET_KEY: "" }),
      ...engine("sqlite", "file::memory:"),
      ...engine("postgres", process.env.TEST_DATABASE_URL_PG ?? "postgres://127.0.0.1:5432/postgres"),
    ],
  },
});
