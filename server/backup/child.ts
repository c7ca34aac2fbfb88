// Runs the backup command in a process of its own. This process never touches BACKUP_DIR, because its disk may hang.
import { type ChildProcess, spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { hourMs, limits } from "@/server/kit/limits";
import type { Env } from "@/server/process/env";

/** How long to wait for a killed process. One that waits for a disk that hangs ends only when the disk responds. */
const killedWithinMs = 2_000;

interface Ended {
  /** The exit code; null if the process was killed. */
  code: number | null;
  /** The end of what it printed. */
  output: string;
}

/**
 * Runs `npm run cli -- backup --daily` with these settings. Kills it when the signal fires, or after
 * `limits.backupMs`, and then resolves within a few seconds, whether or not the process has ended.
 */
export async function runBackup(env: Env, signal: AbortSignal): Promise<Ended> {
  const late = AbortSignal.timeout(limits.backupMs);
  const args = ["--import", "tsx", "server/cli.ts", "backup", "--daily"];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...settingsOf(env) },
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.any([signal, late]),
    killSignal: "SIGKILL",
  });
  lowerPriority(child.pid);
  const { code, output } = await endOf(child, AbortSignal.any([signal, late]));
  const reason = late.aborted ? `\nIt was ended because it took longer than ${limits.backupMs / hourMs} hours.` : "";
  return { code, output: `${output.trim()}${reason}`.trim().slice(-limits.jobError) };
}

function endOf(child: ChildProcess, killed: AbortSignal): Promise<Ended> {
  let output = "";
  const pipes = [child.stdout, child.stderr];
  for (const pipe of pipes) {
    pipe?.setEncoding("utf8").on("data", (text: string) => (output = (output + text).slice(-limits.jobError)));
  }
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, output }));
    // Every error also closes the process, without an exit code of 0.
    child.on("error", () => {});
    const abandon = async () => {
      await sleep(killedWithinMs, undefined, { ref: false });
      for (const pipe of pipes) pipe?.destroy();
      child.unref();
      resolve({ code: null, output });
    };
    if (killed.aborted) void abandon();
    else killed.addEventListener("abort", () => void abandon(), { once: true });
  });
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
