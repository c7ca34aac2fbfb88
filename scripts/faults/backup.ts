// Backups under write load, each restored elsewhere: what was acknowledged before the backup began is in it.
import { backUpAndRestore } from "@/test/backup-rounds";
import { type Fault, nothingFound } from "./fault";

export const backup: Fault = {
  name: "backup",
  title: "backups under write load, restored",
  engines: ["sqlite"],
  rounds: 100,
  async run({ rounds }) {
    const { restored, failures, acknowledged, lost, longestCopyMs, longestRestoreMs } = await backUpAndRestore(rounds);
    const longest = `longest copy ${Math.round(longestCopyMs)} ms, longest restore ${Math.round(longestRestoreMs)} ms`;
    return {
      ...nothingFound(),
      ...{ rounds, acknowledged, wrong: failures, note: `${restored} restored; ${longest}` },
      lost: Array.from({ length: lost }, (_, i) => `write ${i + 1}`),
    };
  },
};
