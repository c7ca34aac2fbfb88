// Runs the production server as a child process on its own database, for tests that talk to it over HTTP.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { temporaryFolder } from "../test/temporary-folder";

const root = path.resolve(import.meta.dirname, "..");
const mainProgram = path.join(root, "dist/main.js");
const workerProgram = path.join(root, "dist/worker.js");
const readyWithinMs = 90_000;
const stopWithinMs = 30_000;

export type Engine = "sqlite" | "postgres";

/** The first admin of every test server. */
export const firstAdmin = { email: "admin@example.com", password: "correct horse battery staple" };

type StartOptions = {
  engine: Engine;
  /** Variables that override the defaults below. */
  env?: Record<string, string>;
  /** Default: 127.0.0.1. */
  hostname?: string;
  /** The folder of an earlier server; by default each server gets a new one. */
  dataDir?: string;
  /** Uses an existing database instead of a new one; it is not dropped at the end. */
  databaseUrl?: string;
};

export type TestServer = {
  url: string;
  databaseUrl: string;
  dataDir: string;
  /** Process id. */
  pid(): number;
  /** Resident memory of the running process in bytes, as Linux reports it. */
  memory(): number;
  /** Sends a signal and waits for the exit; resolves with the exit code, null after SIGKILL. */
  kill(signal: "SIGKILL" | "SIGTERM" | "SIGINT"): Promise<number | null>;
  /** Resolves with the exit code once the process exits without a signal from us. */
  ended(): Promise<number | null>;
  /** Restarts the server on the same database and port; stops the running one with SIGTERM first. */
  restart(): Promise<void>;
  /** Stops the server and removes its database and files. */
  stop(): Promise<void>;
  /** Everything printed so far. */
  logs(): string;
};

/** Starts a server and waits until it is ready. */
export async function startServer(options: StartOptions): Promise<TestServer> {
  if (!existsSync(mainProgram)) throw new Error("There is no build. Run: npm run build");
  const dataDir = options.dataDir ?? temporaryFolder("quittance-e2e-");
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: async () => {} }
    : await createDatabase(options.engine, dataDir);
  const port = await freePort();
  const url = `http://${options.hostname ?? "127.0.0.1"}:${port}`;
  const output: string[] = [];
  const environment = serverEnvironment({ port, url, dataDir, databaseUrl: database.url, given: options.env ?? {} });
  let child = spawnServer(environment, output);
  const restart = async () => {
    if (isRunning(child)) await end(child, "SIGTERM");
    child = spawnServer(environment, output);
    await untilReady(child, url, output);
  };
  const server: TestServer = {
    url,
    databaseUrl: database.url,
    dataDir,
    pid: () => child.pid ?? 0,
    memory: () => residentMemoryOf(child.pid ?? 0),
    kill: (signal) => end(child, signal),
    ended: () => new Promise((resolve) => child.once("exit", resolve)),
    restart,
    async stop() {
      if (isRunning(child)) await end(child, "SIGTERM");
      await database.drop();
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
    logs: () => output.join(""),
  };
  await untilReady(child, url, output).catch(async (error) => {
    await server.stop();
    throw error;
  });
  return server;
}

type Settings = { port: number; url: string; dataDir: string; databaseUrl: string; given: Record<string, string> };

/** Inherits only PATH and HOME, so that the tester's own configuration does not reach the server. */
export function serverEnvironment({ port, url, dataDir, databaseUrl, given }: Settings): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    PORT: String(port),
    APP_URL: url,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    ADMIN_EMAIL: firstAdmin.email,
    ADMIN_PASSWORD: firstAdmin.password,
    // All tests of a worker share one address and few credentials. Tests of a limit set it themselves.
    RATE_LIMIT: "0",
    LOGIN_FAILURES_PER_IP: "100000",
    LOGINS_PER_USER: "100000",
    PASSWORDS_PER_IP: "1000",
    SIGNUPS_PER_IP: "100000",
    PAY_FAILURES_PER_IP: "100000",
    ...given,
  };
}

/** Starts the server without waiting until it is ready. */
export const spawnServer = (env: Record<string, string>, output: string[]): ChildProcess =>
  launch(mainProgram, env, output);

/** Starts a server that must refuse to start; resolves with its exit code and output. */
export async function failToStart(
  server: TestServer,
  env: Record<string, string>,
): Promise<{ code: number; text: string }> {
  const output: string[] = [];
  const port = await freePort();
  const settings = { port, url: `http://127.0.0.1:${port}`, dataDir: server.dataDir, databaseUrl: server.databaseUrl };
  const child = spawnServer(serverEnvironment({ ...settings, given: env }), output);
  return { code: await exitCodeOf(child), text: output.join("") };
}

/** Resolves with the exit code; -1 if a signal ended the process. */
export function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => child.once("close", (code) => resolve(code ?? -1)));
}

/** Starts a worker without waiting until it is ready. */
export const spawnWorker = (env: Record<string, string>, output: string[]): ChildProcess =>
  launch(workerProgram, env, output);

/** Everything launched that still runs. */
const running = new Set<ChildProcess>();
// A test that a time limit or a signal cuts off never stops the server that it started.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

function launch(program: string, env: Record<string, string>, output: string[]): ChildProcess {
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  return child;
}

function residentMemoryOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

async function untilReady(child: ChildProcess, url: string, output: string[]): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  while (isRunning(child) && Date.now() < deadline) {
    const isReady = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
  throw new Error(`The server did not become ready:\n${output.join("").slice(-4_000)}`);
}

/** Sends a signal and waits until the process exits. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (!isRunning(child)) return child.exitCode;
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const late = sleep(stopWithinMs, "late" as const, { ref: false });
  const code = await Promise.race([exited, late]);
  if (code !== "late") return code;
  child.kill("SIGKILL");
  throw new Error(`The server did not exit within ${stopWithinMs} ms of ${signal}.`);
}

/** Creates an empty database; on SQLite it will be a file in `dataDir`. */
export async function createDatabase(engine: Engine, dataDir: string): Promise<{ url: string; drop(): Promise<void> }> {
  if (engine === "sqlite") return { url: `file:${path.join(dataDir, "quittance.db")}`, drop: async () => {} };
  const server = process.env.TEST_DATABASE_URL_PG;
  if (!server) throw new Error("TEST_DATABASE_URL_PG must name a PostgreSQL server (npm run postgres starts one).");
  const name = `e2e_${randomBytes(8).toString("hex")}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `drop database ${name} with (force)`) };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
