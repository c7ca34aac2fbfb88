// Backups while several callers write: each contains what was acknowledged before it began, and can be restored.
import { expect, it } from "vitest";
import { BackupRounds } from "@/test/backup-rounds";

it("restores every backup without a loss", async () => {
  const rounds = new BackupRounds();
  try {
    for (let round = 1; round <= 3; round++) {
      const { lost, acknowledged } = await rounds.next();
      expect(lost).toEqual([]);
      expect(acknowledged).toBeGreaterThan(0);
    }
  } finally {
    await rounds.close();
  }
}, 120_000);
