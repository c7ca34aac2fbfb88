// What upgrades have left to do, for the operator's command line.
import type { Runtime } from "@/server/process/runtime";
import { listOfKinds } from "./find-store";
import { upgradeKinds } from "./queue";

/** Whether a job that an upgrade scheduled is unfinished. */
export const isUpgrading = async ({ db }: Runtime): Promise<boolean> =>
  (await listOfKinds(db.read, upgradeKinds)).length > 0;

/**
 * One line for each unfinished job that an upgrade scheduled: its kind, its object, when it continues, and its
 * progress. `hasFailed`: one of them is dead, so it continues only if somebody retries it.
 */
export async function describeUpgrade({ db }: Runtime): Promise<{ lines: string[]; hasFailed: boolean }> {
  const rows = await listOfKinds(db.read, upgradeKinds);
  if (rows.length === 0) return { lines: ["No upgrade has anything left to do."], hasFailed: false };
  const lines = rows.map(({ kind, objectId, status, runAt, progress, lastError }) =>
    [
      ...[kind, objectId, status === "dead" ? "failed" : `next at ${new Date(runAt).toISOString()}`],
      ...(progress === null ? ["not begun"] : [JSON.stringify(progress)]),
      ...(lastError === null ? [] : [lastError]),
    ].join("  "),
  );
  const hasFailed = rows.some(({ status }) => status === "dead");
  if (hasFailed) lines.push("A job has failed for good. An admin of its organization can retry it in the dashboard.");
  return { lines, hasFailed };
}
