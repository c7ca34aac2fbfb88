// A database of an earlier version is upgraded under load: no request fails, and nothing is lost.
import { expect, it } from "vitest";
import { upgradeUnderLoad } from "@/test/upgrade/upgrade";

/** `npm run upgrade:test` asks for many. */
const rows = Number(process.env.UPGRADE_ROWS ?? 0);
const load = rows > 0 ? { rows, callers: 16, phase: 500 } : { rows: 1_000, callers: 4, phase: 10 };

it("upgrades a database in use", { timeout: 180_000 + 30 * rows }, async () => {
  const upgraded = await upgradeUnderLoad(load);
  expect(upgraded.rows).toBeGreaterThanOrEqual(load.rows);
  if (rows > 0) console.log(upgraded);
});
