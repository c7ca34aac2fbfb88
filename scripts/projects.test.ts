// Which tests run where: every test runs, and every test that opens a database runs on both engines.
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import config, { needsDatabase } from "../vitest.config";

const root = path.resolve(import.meta.dirname, "..");
const isSource = (folder: string) =>
  !folder.startsWith(".") && !["node_modules", "dist", "test-results"].includes(folder);

const testsBelow = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return isSource(entry.name) ? testsBelow(file) : [];
    return /\.test\.[cm]?[jt]sx?$/.test(entry.name) ? [file] : [];
  });

/** The files of all projects whose name starts with `name`. */
const filesOf = (name: string): string[] =>
  (config.test?.projects ?? []).flatMap((project) => {
    if (typeof project !== "object" || !("test" in project)) return [];
    const { test } = project;
    return String(test?.name).startsWith(name) ? (test?.include ?? []) : [];
  });

describe("the projects of the unit tests", () => {
  const [once, sqlite, postgres] = [filesOf("once"), filesOf("sqlite"), filesOf("postgres")];

  it("contain every test of the repository, each file once per project", () => {
    const all = testsBelow(".");
    expect(all.length).toBeGreaterThan(100);
    expect([...new Set([...once, ...sqlite, ...postgres])].sort()).toEqual(all.sort());
    for (const files of [once, sqlite, postgres]) expect(new Set(files).size).toBe(files.length);
    expect(once.filter((file) => sqlite.includes(file) || postgres.includes(file))).toEqual([]);
  });

  it("run a test on both engines unless it is named after one", () => {
    const named = /\.(sqlite|postgres)\.test\.ts$/;
    const both = (files: string[]) => files.filter((file) => !named.test(file)).sort();
    expect(both(sqlite)).toEqual(both(postgres));
    expect(sqlite.filter((file) => file.endsWith(".postgres.test.ts"))).toEqual([]);
    expect(postgres.filter((file) => file.endsWith(".sqlite.test.ts"))).toEqual([]);
  });

  it("detect a test that opens its database through another module or test", () => {
    expect(needsDatabase("server/domains/payments/search.test.ts")).toBe(true);
    expect(needsDatabase("server/domains/payments/search-windows.test.ts")).toBe(true);
    expect(needsDatabase("server/kit/words.test.ts")).toBe(false);
  });
});
