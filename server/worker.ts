// The worker's entry: runs jobs and repeated tasks in its own process, beside app processes with WORKER=apart.

import { startTasks } from "@/server/background/tasks";
import { parseEnv } from "@/server/process/env";
import { runtime } from "@/server/process/runtime";
import { explainStartupError } from "@/server/process/startup-error";
import { stopOnFault, stopOnSignals } from "@/server/process/stopping";

async function start(): Promise<void> {
  const opened = await runtime();
  const { log, close } = opened;
  const stopTasks = startTasks(opened, { isWorker: true });
  log.info("working");
  console.log("\nThe worker is ready.\n");
  stopOnSignals(log, async (signal) => {
    log.info({ signal }, "stopping: running jobs finish first");
    await stopTasks();
    await close();
    log.info("stopped");
  });
  stopOnFault(opened, async () => {
    await stopTasks();
    await close();
  });
}

try {
  await start();
} catch (error) {
  const reason = explainStartupError(error, readEnv());
  console.error(reason === null ? error : `\n${reason}\n`);
  process.exit(1);
}

function readEnv() {
  try {
    return parseEnv(process.env);
  } catch {
    return null;
  }
}
