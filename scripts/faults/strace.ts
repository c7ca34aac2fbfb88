// strace, attached to a running server: it records what the server writes to its files, or makes its calls fail.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** What this machine lacks for strace, or null. */
export function lacksStrace(): string | null {
  if (process.platform !== "linux") return "strace exists on Linux only";
  const test = spawnSync("strace", ["-o", "/dev/null", "true"], { encoding: "utf8" });
  if (test.error) return "no strace (Debian: apt-get install strace)";
  return test.status === 0 ? null : "strace may not attach to processes here";
}

interface Tracer {
  /** Detaches. The server goes on. */
  stop(): Promise<void>;
}

/** Attaches to a process with all its threads, and resolves once it is attached. */
export async function attach(pid: number, args: readonly string[]): Promise<Tracer> {
  const child = spawn("strace", ["-f", ...args, "-p", String(pid)], { stdio: ["ignore", "ignore", "pipe"] });
  await untilAttached(child);
  return {
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGINT");
      await ended;
    },
  };
}

function untilAttached(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      text += chunk;
      if (/attached/.test(text)) resolve();
    });
    child.once("exit", () => reject(new Error(`strace ended: ${text}`)));
  });
}

/** One call that changed a file or made its changes durable, in the order in which the calls ended. */
export type FileCall = { file: string; begunAt: number; endedAt: number } & (
  | { do: "write"; offset: number; data: Buffer }
  | { do: "truncate"; size: number }
  | { do: "sync" }
);

export const recording = (file: string): string[] => [
  ...["-y", "-xx", "-ttt", "-s", "1000000", "-o", file],
  ...["-e", "trace=pwrite64,fsync,fdatasync,ftruncate"],
];

const callLine = /^(\d+) +(\d+\.\d+) (\w+)\((.*)$/;
const resumedLine = /^(\d+) +(\d+\.\d+) <\.\.\. (\w+) resumed>(.*)$/;

/**
 * The recorded calls on files that end in one of `names`. Failed calls are left out. Instants in epoch milliseconds.
 */
export function readRecording(path: string, names: readonly string[]): FileCall[] {
  const calls: FileCall[] = [];
  const begun = new Map<string, { name: string; args: string; at: number }>();
  for (const line of readFileSync(path, "latin1").split("\n")) {
    const resumed = resumedLine.exec(line);
    const [, pid = "", seconds = "", name = "", rest = ""] = resumed ?? callLine.exec(line) ?? [];
    if (pid === "") continue;
    const at = Number(seconds) * 1_000;
    if (rest.endsWith("<unfinished ...>")) {
      begun.set(pid, { name, args: rest.slice(0, -"<unfinished ...>".length).trimEnd(), at });
      continue;
    }
    const earlier = resumed ? begun.get(pid) : undefined;
    begun.delete(pid);
    const call = callOf(name, (earlier?.args ?? "") + rest, { begunAt: earlier?.at ?? at, endedAt: at });
    if (call && names.some((end) => call.file.endsWith(end))) calls.push(call);
  }
  return calls;
}

function callOf(name: string, text: string, times: { begunAt: number; endedAt: number }): FileCall | null {
  const [, args = "", result = "-1"] = /^(.*)\) += (-?\d+)/.exec(text) ?? [];
  if (Number(result) < 0) return null;
  const [, hexPath = "", rest = ""] = /^\d+<([^>]*)>(?:, )?(.*)$/.exec(args) ?? [];
  const file = bytesOf(hexPath).toString();
  if (name === "fsync" || name === "fdatasync") return { ...times, file, do: "sync" };
  if (name === "ftruncate") return { ...times, file, do: "truncate", size: Number(rest) };
  const [, data = "", offset = ""] = /^"([^"]*)", \d+, (\d+)$/.exec(rest) ?? [];
  if (name !== "pwrite64" || offset === "")
    throw new Error(`strace printed a write that cannot be read: ${rest.slice(0, 80)}`);
  return { ...times, file, do: "write", offset: Number(offset), data: bytesOf(data).subarray(0, Number(result)) };
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll("\\x", ""), "hex");
