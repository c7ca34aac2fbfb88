// A worker in a process of its own, for tests that kill it in the middle of a job.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { bundleOf } from "./program";
import type { World } from "./world";

interface KillableWorker {
  /** Ends the process at once, as a power loss would. */
  kill(): void;
  /** Resolves once the process has ended. */
  ended: Promise<unknown>;
}

/** Starts a worker of the world's database with these settings. It follows the machine's clock. */
export async function startWorker(
  { database, runtime }: World,
  settings: Record<string, string>,
): Promise<KillableWorker> {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    DATA_DIR: runtime.env.dataDir,
    LOG_LEVEL: "silent",
    SECRET_KEY: runtime.keys.current.key.toString("base64"),
    ...settings,
  };
  const child: ChildProcess = spawn(process.execPath, [await bundleOf("server/worker.ts")], { env, stdio: "ignore" });
  const ended = once(child, "exit");
  return { kill: () => void child.kill("SIGKILL"), ended };
}
