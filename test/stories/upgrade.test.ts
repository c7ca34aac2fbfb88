// A database of each released version is upgraded under load: no request fails, and nothing is lost.
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { upgradeUnderLoad } from "@/test/upgrade/upgrade";
import { releasedVersions } from "@/test/upgrade/version";

/** `npm run upgrade:test` asks for many. */
const rows = Number(process.env.UPGRADE_ROWS ?? 0);
const load = rows > 0 ? { rows, callers: 16, phase: 500 } : { rows: 1_000, callers: 4, phase: 10 };

it("has the program of a released version, if one is released", () => {
  expect(releasedVersions().length > 0).toBe(existsSync("db/migrations/postgres/meta/snapshot.json"));
});

it.each(releasedVersions())("upgrades a database of %s in use", { timeout: 180_000 + 30 * rows }, async (tag) => {
  const upgraded = await upgradeUnderLoad(tag, load);
  expect(upgraded.rows).toBeGreaterThanOrEqual(load.rows);
  if (rows > 0) console.log(upgraded);
});
