// Backups while several callers write: each contains what was acknowledged before it began, and can be restored.
import { expect, it } from "vitest";
import { backUpAndRestore } from "@/test/backup-rounds";

it("restores every backup without a loss", async () => {
  const { restored, lost, acknowledged } = await backUpAndRestore(3);
  expect({ restored, lost }).toEqual({ restored: 3, lost: 0 });
  expect(acknowledged).toBeGreaterThan(0);
}, 120_000);
