// The daily backup: a job that runs the backup command in a process of its own, so that nobody waits for it.
import { reviveDead, scheduleOnce } from "@/server/domains/jobs/queue";
import type { Handler } from "@/server/domains/jobs/runner";
import { inBackground } from "@/server/domains/records/in-background";
import { dayMs, hourMs } from "@/server/kit/limits";
import { drainable } from "@/server/process/lifecycle";
import type { Runtime } from "@/server/process/runtime";
import { runBackup } from "./child";
import { notRemoved } from "./files";

/**
 * Schedules the daily backup if BACKUP_DIR is set: at once, unless it is scheduled already. If the job is dead, because
 * the worker died each time it ran it, it runs again a day later.
 */
export async function planDailyBackup(runtime: Runtime): Promise<void> {
  if (runtime.env.backupDir === null) return;
  const _runAt = runtime.clock.now();
  await inBackground(runtime, "database.backup", async (ctx) => {
    await scheduleOnce(ctx, { kind: "database.backup", organizationId: "", objectId: "database", afterMs: 0 });
    await reviveDead(ctx, "database.backup", "database", dayMs);
  });
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
