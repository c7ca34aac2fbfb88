// What the set-up installs with the real npm: packages whose checksum fits, on a machine without a compiler.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockfileOf, type Package, startRegistry } from "./own-registry";

const system = `${process.platform}-${process.arch}`;
let folder: string;
let registry: Awaited<ReturnType<typeof startRegistry>>;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "quittance-packages-"));
  cpSync("scripts", path.join(folder, "scripts"), { recursive: true });
  rmSync(path.join(folder, "scripts/nodes"), { recursive: true });
  mkdirSync(path.join(folder, "bin"));
});
afterEach(() => {
  registry.stop();
  rmSync(folder, { recursive: true, force: true });
});

const inFolder = (...parts: string[]) => path.join(folder, ...parts);

/** The program that a name means on the PATH. */
function found(name: string): string {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const program = folders.map((each) => path.join(each, name)).find((file) => existsSync(file));
  if (program === undefined) throw new Error(`There is no ${name} on the PATH.`);
  return realpathSync(program);
}

const compilers = ["make", "python", "python3", "cc", "c++", "gcc", "g++", "clang", "node-gyp"];
const calls = () => (existsSync(inFolder("calls")) ? readFileSync(inFolder("calls"), "utf8") : "");

/** A PATH with nothing but Node, npm and a shell, and programs that note who calls a compiler. */
function barePath(): string {
  symlinkSync(process.execPath, inFolder("bin/node"));
  for (const name of ["npm", "sh", "env"]) symlinkSync(found(name), inFolder("bin", name));
  for (const name of [...compilers, "apt-get"]) {
    const note = `#!${found("sh")}\necho "${name} $*" >> ${inFolder("calls")}\nexit 1\n`;
    writeFileSync(inFolder("bin", name), note, { mode: 0o755 });
  }
  return inFolder("bin");
}

/** Runs a program of the folder's scripts with packages from the registry; resolves to its exit code and output. */
async function run(...args: string[]) {
  const { npm_execpath: _, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: {
      ...env,
      PATH: barePath(),
      npm_config_registry: registry.url,
      npm_config_cache: inFolder("cache"),
      npm_config_noproxy: "127.0.0.1",
      npm_config_update_notifier: "false",
      npm_config_fetch_retries: "0",
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
}

/** Writes a lockfile of the packages, with a change to its text, and offers them in a registry. */
async function lock(target: string, packages: Package[], change = (text: string) => text) {
  registry = await startRegistry(packages);
  const { manifest, lockfile } = lockfileOf(packages);
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, "package.json"), JSON.stringify(manifest));
  writeFileSync(path.join(target, "package-lock.json"), change(JSON.stringify(lockfile)));
}

describe("a Node from npm, on a Node that is too old", () => {
  /** A package with a Node that starts this one, or with another program in its place. */
  const nodeWith = (text = `exec ${process.execPath} "$@"`): Package => ({
    name: `node-${system}`,
    files: { "bin/node": `#!${found("sh")}\n${text}\n` },
  });
  const lockNode = (line: string, change?: (text: string) => string, text?: string) =>
    lock(inFolder("scripts/nodes", line, system), [nodeWith(text)], change);
  const launch = () => {
    writeFileSync(inFolder("package.json"), '{ "engines": { "node": ">=99.0.0" } }');
    writeFileSync(inFolder("program.mjs"), 'console.log("ran on", process.version);');
    return run("scripts/launch.mjs", "program.mjs");
  };
  const executable = () => inFolder(".setup/nodes/26/node_modules", `node-${system}`, "bin/node");

  it("runs the program on a machine that has nothing but npm and a shell", async () => {
    await lockNode("26");
    const { code, output } = await launch();
    expect(output).toContain(`ran on ${process.version}`);
    expect(code).toBe(0);
    expect(calls()).toBe("");
  });

  it("is refused if it is not the one of the lockfile, and leaves nothing that could run", async () => {
    await lockNode("26", (text) => text.replace(/sha512-..../, "sha512-AAAA"));
    for (const _ of ["first", "again"]) {
      const { code, output } = await launch();
      expect(output).toContain("its checksum differs");
      expect(output).not.toContain("ran on");
      expect(code).toBe(1);
      expect(existsSync(executable())).toBe(false);
      rmSync(inFolder("bin"), { recursive: true });
      mkdirSync(inFolder("bin"));
    }
  });

  it("says that the registry cannot be reached", async () => {
    await lockNode("26");
    registry.stop();
    const { code, output } = await launch();
    expect(output).toContain("The npm registry cannot be reached from here.");
    expect(code).toBe(1);
  });
});

describe("the packages of the product", () => {
  const compiled = { scripts: { install: "node-gyp rebuild" }, gypfile: true };
  const packages: Package[] = [
    { name: "better-sqlite3", manifest: compiled, files: { "binding.gyp": "{}", "build/old.node": "" } },
    { name: "fetches-a-binary", manifest: { scripts: { install: "echo fetched > fetched" } } },
  ];
  const installed = (...parts: string[]) => inFolder("node_modules", ...parts);
  const install = () => {
    writeFileSync(inFolder("install.mjs"), 'import { install } from "./scripts/setup/install.mjs"; await install();');
    return run("install.mjs");
  };

  it("need no compiler: scripts of packages run, but the one that would compile the SQLite driver does not", async () => {
    await lock(folder, packages);
    const { code, output } = await install();
    expect(output).toContain("running the packages' scripts: done");
    expect(code).toBe(0);
    expect(calls()).toBe("");
    expect(existsSync(installed("fetches-a-binary/fetched"))).toBe(true);
    expect(existsSync(installed("better-sqlite3/binding.gyp"))).toBe(true);
    expect(existsSync(installed("better-sqlite3/build"))).toBe(false);
  });

  it("are refused, and count as not installed, if one is not that of the lockfile", async () => {
    await lock(folder, packages, (text) => text.replace(/sha512-..../, "sha512-AAAA"));
    const { code, output } = await install();
    expect(output).toContain("its checksum differs");
    expect(code).not.toBe(0);
    expect(existsSync(installed(".setup"))).toBe(false);
    expect(existsSync(installed("fetches-a-binary/fetched"))).toBe(false);
  });
});
