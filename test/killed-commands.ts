// The command line, killed before each change that it makes to files: what is left must be usable every time.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundle } from "@/scripts/setup/bundle.mjs";

const root = process.cwd();

/** Builds the command line once, because starting it from its sources takes seconds. */
export async function buildCommandLine() {
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-cli-"));
  const outfile = path.join(folder, "cli.mjs");
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  await bundle({ entryPoints: ["server/cli.ts"], outfile });
  return {
    /** The built command line, for Node. */
    program: outfile,
    /** Runs a command, killed before its `killAt`-th change of files, and resolves to its end. */
    run: (args: readonly string[], env: Record<string, string>, killAt = 0) =>
      new Promise<{ isKilled: boolean; code: number | null; text: string }>((resolve) => {
        const program = ["--import", "./test/kill-at-step.mjs", outfile, ...args];
        const options = { cwd: root, env: { ...process.env, ...env, KILL_AT: String(killAt) } };
        const child = execFile(process.execPath, program, options, (_error, out, err) =>
          resolve({ isKilled: child.signalCode === "SIGKILL", code: child.exitCode, text: out + err }),
        );
      }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type CommandLine = Awaited<ReturnType<typeof buildCommandLine>>;

/** What a command works on, made anew for each kill. */
export interface Scene {
  args: readonly string[];
  env: Record<string, string>;
  /** Throws unless what is left is usable. */
  check(): Promise<void>;
}

/** How many changes of files the command makes: it can be killed before each. */
export async function stepsOf(cli: CommandLine, { args, env }: Scene): Promise<number> {
  const { code, text } = await cli.run(args, env);
  if (code !== 0) throw new Error(`The command failed: ${text}`);
  return Number(text.trimEnd().split("\n").at(-1));
}

/** Kills the command before each of these changes and checks what is left. */
export async function killAtSteps(
  cli: CommandLine,
  makeScene: () => Scene | Promise<Scene>,
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (let step = from; step <= to; step++) {
    const scene = await makeScene();
    const { isKilled, text } = await cli.run(scene.args, scene.env, step);
    if (!isKilled) throw new Error(`The command was not killed: ${text}`);
    await scene.check();
  }
}
