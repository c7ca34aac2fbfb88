// The worker's entry: does the jobs and repeated tasks in a process of its own, beside app processes with WORKER=apart.
import { parseEnv } from "@/server/kit/env";
import { runtime } from "@/server/kit/runtime";
import { explainStartupError } from "@/server/kit/startup-error";
import { stopOnFault, stopOnSignals } from "@/server/kit/stopping";
import { startTasks } from "@/server/tasks";

async function start(): Promise<void> {
  const opened = await runtime();
  const { log, close } = opened;
  const stopTasks = startTasks(opened, { isWorker: true });
  log.info("working");
  console.log("\nThe worker is ready.\n");
  stopOnSignals(log, async (signal) => {
    log.info({ signal }, "stopping: jobs that have begun finish first");
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
