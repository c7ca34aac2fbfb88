// Runs the server of a version in a separate process: this version, or a release that scripts/upgrade/build.mjs built.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { bundleServer } from "@/scripts/upgrade/program.mjs";

/** A version's program on the disk. */
export interface Version {
  program: string;
  /** Its working directory, where it finds its migrations. */
  folder: string;
  remove(): void;
}

const root = process.cwd();

/** A folder below the project's, so that the programs find its node_modules. */
function newFolder(): string {
  mkdirSync(path.join(root, ".setup"), { recursive: true });
  return mkdtempSync(path.join(root, ".setup", "upgrade-"));
}

/** The release that scripts/upgrade/build.mjs has built in the folder. */
export const builtRelease = (folder: string): Version => ({
  program: path.join(folder, "server.mjs"),
  folder,
  remove: () => undefined,
});

/** Bundles this version's program. */
export async function thisVersion(): Promise<Version> {
  const folder = newFolder();
  const program = path.join(folder, "server.mjs");
  writeFileSync(program, await bundleServer(root));
  return { program, folder: root, remove: () => rmSync(folder, { recursive: true }) };
}

export interface Server {
  readonly url: string;
  /** Resolves once the process has written the text. Rejects, with all that it has written, if it ends before. */
  wrote(text: string): Promise<void>;
  /** Ends the process as a service manager does. Rejects if it did not end properly. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Starts a server on a free port, or on `port`. It may not be ready yet. */
export async function startServer(version: Version, env: Record<string, string>, port?: number): Promise<Server> {
  const at = port ?? (await freePort());
  const child = spawn(process.execPath, [version.program], {
    cwd: version.folder,
    env: { PATH: process.env.PATH, ...env, PORT: String(at), NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const ended = once(child, "exit");
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return {
    url: `http://127.0.0.1:${at}`,
    async wrote(text) {
      while (!output.includes(text)) {
        if (hasEnded(child)) throw new Error(`The server ended before it wrote "${text}":\n${output}`);
        await Promise.race([once(child.stdout, "data"), ended]);
      }
    },
    async stop() {
      await end("SIGTERM");
      if (child.exitCode !== 0)
        throw new Error(`The server ended with ${child.exitCode ?? child.signalCode}:\n${output}`);
    },
    kill: () => end("SIGKILL"),
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
