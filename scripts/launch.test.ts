// Commands on a Node that is too old run on one from npm, and behave as if they ran by themselves.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { canInstall } from "./setup/debian.mjs";

const system = `${process.platform}-${process.arch}`;
let folder: string;
let child: ChildProcess;
let output: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "quittance-launch-"));
  cpSync("scripts", path.join(folder, "scripts"), { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{ "engines": { "node": ">=99.0.0" } }');
  rmSync(path.join(folder, "scripts/nodes"), { recursive: true });
  offer("26");
});
afterEach(() => {
  child?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Offers a line of Node for this system. */
function offer(line: string): void {
  const source = path.join(folder, "scripts/nodes", line, system);
  mkdirSync(source, { recursive: true });
  writeFileSync(path.join(source, "package-lock.json"), "{}");
}

/** A program for npm that puts a Node where the package of a line would have it: this one, or `script` of a shell. */
const npmWith = (scripts: Record<string, string> = {}) => `
  const { mkdirSync, symlinkSync, writeFileSync } = require("node:fs");
  const prefix = process.argv[process.argv.indexOf("--prefix") + 1];
  const bin = prefix + "/node_modules/node-${system}/bin";
  mkdirSync(bin, { recursive: true });
  const script = ${JSON.stringify(scripts)}[require("node:path").basename(prefix)];
  if (script === undefined) symlinkSync(process.execPath, bin + "/node");
  else writeFileSync(bin + "/node", "#!/bin/sh\\n" + script + "\\n", { mode: 0o755 });
`;

/** Launches the program with the given program as npm. */
function launch(program: string, npm = npmWith(), args: string[] = [], settings: Record<string, string> = {}): void {
  writeFileSync(path.join(folder, "npm.cjs"), npm);
  writeFileSync(path.join(folder, "program.mjs"), program);
  const env = { ...process.env, npm_execpath: path.join(folder, "npm.cjs"), ...settings };
  output = "";
  child = spawn(process.execPath, ["scripts/launch.mjs", ...args, "program.mjs", "one"], { cwd: folder, env });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      output += chunk;
    });
  }
}

const ended = () => once(child, "close");
const says = (text: string) => vi.waitFor(() => expect(output).toContain(text), 10_000);
const endless = 'console.log("runs", process.pid); setInterval(() => {}, 1000);';

it("passes arguments, and ends as the program ends", async () => {
  launch('console.log("arguments", process.argv.slice(2).join()); process.exitCode = 7;');
  expect(await ended()).toEqual([7, null]);
  expect(output).toContain("arguments one");
  expect(output).toMatch(/this is v\S+|this Node is v\S+; running on v\S+ from npm/);
});

it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("passes %s, and ends by it too", async (signal) => {
  launch(endless);
  await says("runs");
  child.kill(signal);
  expect(await ended()).toEqual([null, signal]);
});

it("lets the program end in its own way", async () => {
  launch(`process.on("SIGTERM", () => { console.log("draining"); process.exit(0); }); ${endless}`);
  await says("runs");
  child.kill("SIGTERM");
  expect(await ended()).toEqual([0, null]);
  expect(output).toContain("draining");
});

it("lets the program fork others, which wait for its messages", async () => {
  const parent = `import { fork } from "node:child_process";
    const forked = fork("forked.mjs");
    setTimeout(() => forked.send("go on"), 500);
    forked.on("exit", (code) => { process.exitCode = code; });`;
  writeFileSync(
    path.join(folder, "forked.mjs"),
    'process.once("message", (text) => { console.log(text); process.exit(7); });',
  );
  launch(parent);
  expect(await ended()).toEqual([7, null]);
  expect(output).toContain("go on");
});

it("leaves no program behind when it is killed", async () => {
  const left = path.join(folder, "left");
  const note = `import { writeFileSync } from "node:fs";
    process.on("SIGTERM", () => { writeFileSync(${JSON.stringify(left)}, "ended"); process.exit(0); });`;
  launch(`${note} ${endless}`);
  await says("runs");
  child.kill("SIGKILL");
  await vi.waitFor(() => expect(existsSync(left) && readFileSync(left, "utf8")).toBe("ended"), 10_000);
});

it("takes the next older line where the newest does not run, and says why", async () => {
  offer("24");
  const npm = npmWith({ 26: "echo 'libfoo.so.1: cannot open shared object file' >&2; exit 127" });
  launch('console.log("ran");', npm);
  expect(await ended()).toEqual([0, null]);
  expect(output).toContain("Node 26 does not run here: libfoo.so.1: cannot open shared object file");
  expect(output).toContain("ran");
});

it("asks Debian for libatomic where Node 26 lacks it and the caller is root, and takes Node 24 if that does not help", async () => {
  offer("24");
  const bin = path.join(folder, "bin");
  const asked = path.join(folder, "asked");
  mkdirSync(bin);
  writeFileSync(path.join(bin, "apt-get"), `#!/bin/sh\necho "$*" >> ${asked}\n`, { mode: 0o755 });
  const missing = "error while loading shared libraries: libatomic.so.1: cannot open shared object file";
  const npm = npmWith({ 26: `echo '${missing}' >&2; exit 127` });
  launch('console.log("ran");', npm, [], { PATH: `${bin}${path.delimiter}${process.env.PATH}` });
  expect(await ended()).toEqual([0, null]);
  expect(output).toContain(`Node 26 does not run here: ${missing}`);
  expect(output).toMatch(/running on v\S+ from npm\nran/);
  expect(existsSync(asked) && readFileSync(asked, "utf8").includes("libatomic1")).toBe(canInstall());
});

it.each([
  ["darwin", "arm64"],
  ["darwin", "x64"],
  ["win32", "x64"],
])("says which Node is needed on %s (%s), for which npm has none without holes", async (platform, arch) => {
  rmSync(path.join(folder, "scripts/nodes"), { recursive: true });
  cpSync("scripts/nodes", path.join(folder, "scripts/nodes"), { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{ "engines": { "node": "^22.20.0 || >=24.0.0" } }');
  const pretended = { platform, arch, version: "v20.20.2", versions: { ...process.versions, node: "20.20.2" } };
  const properties = Object.entries(pretended).map(([name, value]) => [name, { value }]);
  const pretend = `Object.defineProperties(process, ${JSON.stringify(Object.fromEntries(properties))})`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(pretend)}`;
  launch('console.log("ran");', npmWith(), [], { NODE_OPTIONS: preload });
  expect(await ended()).toEqual([1, null]);
  expect(output).toContain("Node ^22.20.0 || >=24.0.0 is needed; this is v20.20.2.");
  expect(output).toContain("install one from nodejs.org");
  expect(output).not.toContain("ran");
});

const commands = Object.values<string>(JSON.parse(readFileSync("package.json", "utf8")).scripts);

it("runs every npm script that needs Node", () => {
  const launched = commands.flatMap((command) =>
    [...command.matchAll(/\bnode ((?:--\S+ )*\S+)/g)].map(([, each]) => each),
  );
  expect(launched.length).toBeGreaterThan(20);
  expect(launched.filter((program) => !program?.endsWith("scripts/launch.mjs"))).toEqual([]);
});

/** Programs that load compiled packages, or start what does. */
const programs = ["start", "worker", "dev", "demo", "build", "test", "test-changed", "test-nodes", "verify"];

it.each(programs)("%s, run without it on a Node that is too old, ends with a sentence", async (program) => {
  writeFileSync(path.join(folder, "package.json"), '{ "engines": { "node": "^22.20.0 || >=24.0.0" } }');
  const pretended = { version: { value: "v22.13.0" }, versions: { value: { ...process.versions, node: "22.13.0" } } };
  const pretend = `Object.defineProperties(process, ${JSON.stringify(pretended)})`;
  const args = [`--import=data:text/javascript,${encodeURIComponent(pretend)}`, `scripts/${program}.mjs`];
  child = spawn(process.execPath, args, { cwd: folder });
  output = "";
  child.stderr?.on("data", (chunk) => {
    output += chunk;
  });
  expect(await ended()).toEqual([1, null]);
  expect(output).toContain("Node ^22.20.0 || >=24.0.0 is needed; this is v22.13.0.");
});

it("ends with the reason if a package is not the one of its lockfile, and installs nothing", async () => {
  launch('console.log("ran");', 'console.error("npm error code EINTEGRITY"); process.exit(1);');
  expect(await ended()).toEqual([1, null]);
  expect(output).toContain("its checksum differs");
  expect(output).not.toContain("ran");
});

it("says which Node is needed where npm has none for the system", async () => {
  rmSync(path.join(folder, "scripts/nodes/26"), { recursive: true });
  launch('console.log("ran");');
  expect(await ended()).toEqual([1, null]);
  expect(output).toContain("Node >=99.0.0 is needed; this is v");
});

it("runs a program on the Node that is there if that is supported, or on the newest if that is asked for", async () => {
  writeFileSync(path.join(folder, "package.json"), '{ "engines": { "node": ">=20.0.0" } }');
  launch("console.log(process.execPath);");
  expect(await ended()).toEqual([0, null]);
  expect(output.trim()).toBe(process.execPath);
  offer("99");
  launch(
    "console.log(process.execPath);",
    npmWith({ 99: 'if [ "$1" = --version ]; then echo v99; else echo newest; fi' }),
    ["--newest"],
  );
  expect(await ended()).toEqual([0, null]);
  expect(output.trim().split("\n").at(-1)).toBe("newest");
});
