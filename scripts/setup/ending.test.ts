// npm test ends with its closing line and a matching exit code, even if the set-up fails or is stopped.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

let folder: string;
let child: ChildProcess;
let output: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "quittance-ending-"));
  cpSync("scripts", path.join(folder, "scripts"), { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{ "engines": { "node": ">=20.0.0" } }');
  writeFileSync(path.join(folder, "package-lock.json"), '{ "packages": {} }');
});
afterEach(() => {
  child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Starts `npm test` in a folder without packages, with the given program as npm. */
function begin(npm: string): void {
  writeFileSync(path.join(folder, "npm.js"), npm);
  const env = {
    ...process.env,
    npm_execpath: path.join(folder, "npm.js"),
    // Any program will do: no test gets that far.
    CHROMIUM_PATH: process.execPath,
  };
  output = "";
  child = spawn(process.execPath, ["scripts/test.mjs"], { cwd: folder, env });
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
}

it("npm test ends properly when neither its packages nor those of the clients can be installed", async () => {
  begin("process.exit(1)");
  expect(await once(child, "close")).toEqual([1, null]);
  expect(output).toMatch(/\n0 passed, 2 failed\n$/);
});

it("npm test ends properly when another Node cannot be installed and the concurrent checks fail", async () => {
  begin('process.exit(process.argv.slice(2).some((text) => text.includes(".setup/nodes")) ? 1 : 0)');
  expect(await once(child, "close")).toEqual([1, null]);
  expect(output).toMatch(/\n0 passed, 5 failed\n$/);
});

/** A program that adds its process id to a file of the folder and never ends. */
const endless = (name: string) =>
  `require("node:fs").appendFileSync(${JSON.stringify(path.join(folder, name))}, process.pid + " ");
   setInterval(() => {}, 1_000);`;

/** The process ids in such a file, once there are as many. The file is empty for a moment after it is created. */
async function idsIn(name: string, count: number): Promise<number[]> {
  const file = path.join(folder, name);
  const ids = () => (existsSync(file) ? (readFileSync(file, "utf8").match(/\d+(?= )/g) ?? []).map(Number) : []);
  await vi.waitFor(() => expect(ids().length).toBeGreaterThanOrEqual(count), 10_000);
  return ids();
}

/** A process that has ended remains a zombie until its new parent, the system's first process, notices. */
function isRunning(id: number): boolean {
  const status = `/proc/${id}/status`;
  try {
    process.kill(id, 0);
    return !existsSync(status) || !readFileSync(status, "utf8").includes("State:\tZ");
  } catch {
    return false;
  }
}

const hasEnded = (id: number) => vi.waitFor(() => expect(isRunning(id)).toBe(false), 10_000);

it.each(["SIGTERM", "SIGHUP"] as const)(
  "npm test ends properly when %s stops it during installation, and leaves no step running",
  async (signal) => {
    begin(endless("npm.pids"));
    const ids = await idsIn("npm.pids", 1);
    child.kill(signal);
    expect(await once(child, "close")).toEqual([1, null]);
    expect(output.endsWith(`stopped by ${signal}\n\n0 passed, 1 failed\n`)).toBe(true);
    await Promise.all(ids.map(hasEnded));
  },
);

it("npm test leaves neither a check nor another step running when it is stopped", async () => {
  const linter = path.join(folder, "node_modules/@biomejs/biome/bin");
  mkdirSync(linter, { recursive: true });
  writeFileSync(path.join(linter, "biome"), endless("linter.pid"));
  begin(`if (process.argv.includes("--prefix")) { ${endless("npm.pids")} }`);
  // The generators of clients and, where npm has them, the other versions of Node.
  const ids = [...(await idsIn("linter.pid", 1)), ...(await idsIn("npm.pids", 2))];
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([1, null]);
  expect(output).toMatch(/stopped by SIGTERM\n\n0 passed, \d failed\n$/);
  await Promise.all(ids.map(hasEnded));
});
