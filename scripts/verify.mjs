// npm run verify: format, lint, types, structure and staleness of generated files, concurrently; seconds, not minutes.
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { prepare, reportFailure } from "./setup/prepare.mjs";
import { root } from "./setup/project.mjs";
import { elapsed } from "./setup/step.mjs";

const bin = (name) => `node_modules/${name}`;

/** Checks the format of these files or folders, and lints them. */
export const formatAndLint = (...paths) => ({
  title: "format and lint",
  args: [bin("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "--no-errors-on-unmatched", ...paths],
});

/** Checks the types. TypeScript 7 is three times as fast; Next and the structure check need the API of TypeScript 6. */
export const types = (...options) => ({
  title: "types",
  args: [bin("typescript-native/bin/tsc"), "--noEmit", ...options, "-p", "."],
});

export const structure = { title: "structure", args: ["--import", "tsx", "scripts/structure.ts"] };

const checks = [
  formatAndLint("."),
  types("--incremental", "false"),
  structure,
  { title: "migrations", args: ["scripts/migrations.mjs"] },
  { title: "db/migrations", args: ["--import", "tsx", "scripts/db-generate.ts", "--check"] },
  { title: "openapi.json", args: ["--import", "tsx", "scripts/openapi.ts", "--check"] },
  { title: "route files", args: ["--import", "tsx", "scripts/routes.ts", "--check"] },
  { title: ".env.example", args: ["--import", "tsx", "scripts/env-example.ts", "--check"] },
  { title: "package-lock.json", args: ["scripts/complete-lockfile.mjs", "--check"] },
  { title: "versions of Node", args: ["scripts/engines.mjs"] },
];

/** The checks that are running. They end with this process. */
const running = new Set();
process.once("exit", () => {
  for (const child of running) child.kill();
});

export const verify = () => runChecks(checks);

/** Runs every check and prints its result, with the output of those that fail. Resolves to whether all passed. */
export async function runChecks(checks) {
  const results = await Promise.all(checks.map(run));
  return results.every(Boolean);
}

function run({ title, args }) {
  const startedAt = Date.now();
  const output = [];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, FORCE_COLOR: "0" } });
  running.add(child);
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      running.delete(child);
      console.log(`${code === 0 ? "ok    " : "FAILED"} ${title} (${elapsed(startedAt)})`);
      const text = Buffer.concat(output).toString();
      // Prints what a check could not do, although it passed.
      const said = code === 0 ? (text.match(/^Note: .*/gm) ?? []).join("\n") : text;
      if (said !== "") console.log(said);
      resolve(code === 0);
    });
  });
}

async function main() {
  await prepare({ needsBuild: false });
  if (!(await verify())) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main().catch(reportFailure);
