// Backups under write load, each restored elsewhere: what was acknowledged before the backup began is in it.
import { BackupRounds } from "@/test/backup-rounds";
import type { Fault } from "./fault";

export const backup: Fault = {
  name: "backup",
  title: "backups under write load, restored",
  engines: ["sqlite"],
  rounds: 100,
  async run({ found, rounds }) {
    const backups = new BackupRounds();
    let [restored, meanwhile, copyMs, restoreMs] = [0, 0, 0, 0];
    try {
      for (const _ of rounds) {
        const round = await backups.next().catch((error: unknown) => void found.wrong.push(String(error)));
        if (!round) continue;
        found.acknowledged += round.acknowledged;
        found.lost.push(...round.lost);
        restored++;
        meanwhile += round.meanwhile;
        copyMs = Math.max(copyMs, round.copyMs);
        restoreMs = Math.max(restoreMs, round.restoreMs);
        const longest = `longest copy ${Math.round(copyMs)} ms, longest restore ${Math.round(restoreMs)} ms`;
        found.note = `${restored} restored; ${meanwhile} writes came between a backup's start and its copy; ${longest}`;
      }
    } finally {
      await backups.close();
    }
  },
};
