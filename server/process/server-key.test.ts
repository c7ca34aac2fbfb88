// The server key is generated once, kept private, and never replaced silently.
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isBesideData, loadServerKeys } from "./server-key";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "quittance-key-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sqlite = () => ({ secretKeys: null, databaseUrl: "file:x.db", dataDir: path.join(folder, "data") });

describe("without SECRET_KEY", () => {
  it("generates a key once and reads the same one afterwards", () => {
    const first = loadServerKeys(sqlite());
    expect(first.current.key).toHaveLength(32);
    expect(first.all).toEqual([first.current]);
    expect(loadServerKeys(sqlite())).toEqual(first);
    expect(readdirSync(sqlite().dataDir)).toEqual(["secret.key"]);
  });

  it("keeps it readable by its owner only, even after its mode was loosened", () => {
    loadServerKeys(sqlite());
    const file = path.join(sqlite().dataDir, "secret.key");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("refuses a damaged file instead of generating another key", () => {
    loadServerKeys(sqlite());
    writeFileSync(path.join(sqlite().dataDir, "secret.key"), "short\n");
    expect(() => loadServerKeys(sqlite())).toThrow(/restore it from a backup/);
  });

  it("refuses PostgreSQL", () => {
    expect(() => loadServerKeys({ ...sqlite(), databaseUrl: "postgres://db/q" })).toThrow(/SECRET_KEY/);
  });
});

describe("with SECRET_KEY", () => {
  it("signs with the first and reads with all, each under its own id", () => {
    const keys = loadServerKeys({ ...sqlite(), secretKeys: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] });
    expect(keys.current).toEqual(keys.all[0]);
    expect(keys.all).toHaveLength(2);
    expect(keys.all[0]?.id).not.toBe(keys.all[1]?.id);
    expect(keys.current.id).toMatch(/^[0-9a-f]{8}$/);
  });
});

describe("a key beside the data", () => {
  it.each([
    [{ secretKeys: null, databaseUrl: "file:./data/quittance.db", dataDir: "./data" }, true],
    [{ secretKeys: null, databaseUrl: "file:/srv/db/quittance.db", dataDir: "/srv/keys" }, false],
    [{ secretKeys: [Buffer.alloc(32)], databaseUrl: "file:./data/quittance.db", dataDir: "./data" }, false],
  ])("is distinguished from one kept elsewhere", (env, expected) => {
    expect(isBesideData(env)).toBe(expected);
  });
});
