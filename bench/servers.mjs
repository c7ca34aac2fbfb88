// Starts, queries and stops the servers under load.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../scripts/setup/postgres.mjs";

const run = promisify(execFile);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const longestStart = 60_000;

/** Running processes, so that none outlives a failed run. */
const running = new Set();

/** Starts a program that listens on PORT. Resolves when `path` answers 200; `startMs` is how long that took. */
async function start(name, command, args, { cwd, env, path, stdio }) {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env, PORT: String(port) }, stdio });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(`${url}${path}`))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode} before it answered.`);
    if (performance.now() - startedAt > longestStart) throw new Error(`${name} did not answer in time.`);
    await new Promise((resume) => setTimeout(resume, 5));
  }
  return { name, url, child, startMs: performance.now() - startedAt };
}

const answers = (url) =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  );

const preloads = ["usage.mjs", ...(process.argv.includes("--statements") ? ["statements.mjs"] : [])];
const preloaded = preloads.flatMap((name) => ["--import", new URL(name, import.meta.url).href]);
const quiet = ["ignore", "ignore", "inherit"];

/** The memory limits that `npm start` passes to Node in that checkout. */
const nodeFlags = (folder) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).scripts.start.match(/--\S+/g) ?? [];

/** The product as built in `folder`, on the Node whose executable is given. */
export const startProduct = (name, { folder, env, node = process.execPath }) =>
  start(name, node, [...nodeFlags(folder), ...preloaded, "dist/main.js"], {
    cwd: folder,
    env: { NODE_ENV: "production", ...env },
    path: "/readyz",
    stdio: [...quiet, "ipc"],
  });

/** The product as users start it, including everything that `npm start` checks first. */
export const startByNpm = ({ folder, env }) =>
  start("npm start", "npm", ["start"], { cwd: folder, env, path: "/readyz", stdio: quiet });

export const startBaseline = (name, env, node = process.execPath) =>
  start(name, node, [...preloaded, here("baseline/main.mjs")], {
    env: { NODE_ENV: "production", ...env },
    path: "/healthz",
    stdio: [...quiet, "ipc"],
  });

async function ask({ name, child }, question) {
  if (!child.connected) throw new Error(`${name} has ended.`);
  child.send(question);
  const [answer] = await once(child, "message");
  return answer;
}

/** CPU time so far, and the peak of memory since the last query. */
export const usageOf = (server) => ask(server, "usage");

/** The statements since the last query, if it records them. */
export const statementsOf = (server) => ask(server, "statements");

export async function stop({ child }) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

export function stopAll() {
  for (const child of running) child.kill("SIGKILL");
}

/** Loads the targets from another process. Throws if a request was refused or failed. */
export async function load(options) {
  const { stdout } = await run(process.execPath, [here("load.mjs"), JSON.stringify(options)]);
  const result = JSON.parse(stdout);
  const refusals = Object.entries(result.refusals);
  if (refusals.length > 0) throw new Error(`Not all of ${result.count} requests were answered with 200: ${refusals}`);
  return result;
}
