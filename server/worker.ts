// The worker's entry: runs jobs and repeated tasks in its own process, beside app processes with WORKER=apart.

import "@/server/process/supported-node";
import type { Server } from "node:http";
import { expectOwnKey } from "@/server/background/own-key";
import { startTasks } from "@/server/background/tasks";
import { drain } from "@/server/http/draining";
import { listen } from "@/server/http/server";
import { createWorkerServer } from "@/server/http/worker-server";
import { parseEnv } from "@/server/process/env";
import { beginDraining } from "@/server/process/lifecycle";
import { type Runtime, runtime } from "@/server/process/runtime";
import { explainStartupError } from "@/server/process/startup-error";
import { stopOnFault, stopOnSignals } from "@/server/process/stopping";

/** How long requests in progress may take once the jobs have finished. They are short. */
const drainTimeoutMs = 2_000;

async function start(): Promise<void> {
  const opened = await runtime();
  const { log, metrics, close } = opened;
  await expectOwnKey(opened);
  metrics.followProcess();
  const server = await serve(opened);
  const stopTasks = startTasks(opened, { isWorker: true });
  log.info("working");
  console.log("\nThe worker is ready.\n");
  const stop = async () => {
    // Ends a backup in progress. Other jobs finish.
    beginDraining();
    await stopTasks();
    if (server) await drain(server, drainTimeoutMs);
    await close();
  };
  stopOnSignals(log, async (signal) => {
    log.info({ signal }, "stopping: running jobs finish first");
    await stop();
    log.info("stopped");
  });
  stopOnFault(opened, stop);
}

/** Answers health checks and /metrics on WORKER_PORT, if it is set. */
async function serve(opened: Runtime): Promise<Server | null> {
  const { workerPort, host } = opened.env;
  if (workerPort === null) return null;
  const server = createWorkerServer(opened);
  await listen(server, workerPort, host);
  return server;
}

try {
  await start();
} catch (error) {
  const reason = explainStartupError(error, readContext());
  console.error(reason === null ? error : `\n${reason}\n`);
  process.exit(1);
}

function readContext() {
  try {
    const env = parseEnv(process.env);
    return { ...env, port: env.workerPort ?? 0, isWorker: true };
  } catch {
    return null;
  }
}
