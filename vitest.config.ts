// Unit and property tests: one suite, run once on each engine (`--project "sqlite*"`, `--project "postgres*"`).
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";

const root = import.meta.dirname;
const folders = ["server", "db", "scripts", "app", "test"];

const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const tests = folders.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(isTest)
    .map((file) => path.posix.join(folder, file)),
);

/** Tests that replace modules, and so load their own. All other files of a worker share loaded modules, which is faster. */
const replacesModules = /\bvi\.(mock|doMock|resetModules)\(/;
const apart = tests.filter((file) => replacesModules.test(readFileSync(path.join(root, file), "utf8")));

/** The suite on one engine. db/dialect.ts reads DATABASE_URL when modules load, so it is set for the whole project. */
function engine(name: "sqlite" | "postgres", databaseUrl: string) {
  const env = { TEST_ENGINE: name, DATABASE_URL: databaseUrl, SECRET_KEY: "" };
  // What only one engine can do is tested in files that carry its name.
  const other = `.${name === "sqlite" ? "postgres" : "sqlite"}.test.ts`;
  const own = tests.filter((file) => !file.endsWith(other));
  const together = own.filter((file) => !apart.includes(file));
  return [
    { extends: true as const, test: { name: `${name}-together`, env, isolate: false, include: together } },
    {
      extends: true as const,
      test: { name: `${name}-apart`, env, include: own.filter((file) => apart.includes(file)) },
    },
  ];
}

export default defineConfig({
  resolve: { alias: { "@": root } },
  test: {
    setupFiles: ["test/new-process.ts"],
    environment: "node",
    pool: "forks",
    // A core for every file at work; the default leaves one idle, and of two that is half the machine.
    maxWorkers: "100%",
    testTimeout: 20_000,
    hookTimeout: 60_000,
    env: { NODE_ENV: "test", LOG_LEVEL: "silent" },
    projects: [
      ...engine("sqlite", "file::memory:"),
      ...engine("postgres", process.env.TEST_DATABASE_URL_PG ?? "postgres://127.0.0.1:5432/postgres"),
    ],
  },
});
