// The daily backup: a job that runs the backup command in a process of its own, so that nobody waits for it.
import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { text } from "node:stream/consumers";
import { scheduleOnce } from "@/server/domains/jobs/queue";
import type { Handler } from "@/server/domains/jobs/runner";
import { inBackground } from "@/server/domains/records/in-background";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import type { Env } from "@/server/process/env";
import { drainable } from "@/server/process/lifecycle";
import type { Runtime } from "@/server/process/runtime";
import { newestDaily, notRemoved } from "./files";

/** Schedules the daily backup if BACKUP_DIR is set: at once if the newest one is more than a day old. */
export async function planDailyBackup(runtime: Runtime): Promise<void> {
  const { backupDir } = runtime.env;
  if (backupDir === null) return;
  // A clock that was fast may have dated a backup in the future.
  const runAt = Math.min(newestDaily(backupDir) ?? 0, runtime.clock.now()) + dayMs;
  await inBackground(runtime, "database.backup", (ctx) =>
    scheduleOnce(ctx, { kind: "database.backup", organizationId: "", objectId: "database", runAt }),
  );
}

/**
 * The job's handler. The lease gives the job to one process. A failed backup is logged as an error and tried again
 * every hour, forever, unlike other jobs: tomorrow's backup must not be missing because today's failed too often.
 */
export const dailyBackup: Handler = async (runtime, _id, lost) => {
  const { env, clock, log } = runtime;
  if (env.backupDir === null) return undefined;
  const startedAt = clock.now();
  const drain = drainable();
  try {
    const stop = AbortSignal.any([lost, drain.controller.signal]);
    const { code, output } = await runBackup(env, stop);
    if (code === 0) {
      if (output.includes(notRemoved)) log.warn({ output }, "the daily backup was made, but old ones were not removed");
      else log.info({ output }, "the daily backup was made");
      return { again: startedAt + dayMs };
    }
    if (stop.aborted) return { again: startedAt };
    log.error({ code, output }, "the daily backup failed");
    runtime.metrics.noteJob("database.backup", "failed");
    return { again: clock.now() + hourMs };
  } finally {
    drain.release();
  }
};

/** Runs `npm run cli -- backup --daily` with these settings. Resolves to its exit code and the end of its output. */
async function runBackup(env: Env, signal: AbortSignal): Promise<{ code: number | null; output: string }> {
  const args = ["--import", "tsx", "server/cli.ts", "backup", "--daily"];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...settingsOf(env) },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
    killSignal: "SIGKILL",
  });
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  // Every error also closes the process, without an exit code of 0.
  child.on("error", () => {});
  lowerPriority(child.pid);
  const [code, ...outputs] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  return { code, output: outputs.join("").trim().slice(-limits.jobError) };
}

/** The child's settings are this runtime's, wherever they came from. */
const settingsOf = (env: Env): Record<string, string> => ({
  DATABASE_URL: env.databaseUrl,
  DATA_DIR: env.dataDir,
  BACKUP_DIR: env.backupDir ?? "",
  BACKUP_KEEP: String(env.backupKeep),
  SECRET_KEY: textOf(env.secretKeys ?? []),
  SECRET_KEY_RETIRED: textOf(env.retiredKeys),
  SECRET_KEY_LOST: env.lostKeys.join(","),
});

const textOf = (keys: readonly Buffer[]): string => keys.map((key) => key.toString("base64")).join(",");

/** The checks are a lot of work that nobody waits for. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has already ended, or the system does not allow it: the backup then competes like any other process.
  }
}
