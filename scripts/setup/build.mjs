// Builds the pages (Next) and the server (esbuild) when a source file has changed since the last build.
import { existsSync, rmSync } from "node:fs";
import { bundle } from "./bundle.mjs";
import { checksum, inProject, isStamped, writeStamp } from "./project.mjs";
import { elapsed, runStep, say } from "./step.mjs";

const stampFile = "dist/.stamp";
const sources = [
  ...["app", "server", "db", "messages", "public", "proxy.ts", "instrumentation.ts"],
  ...["next.config.js", "tsconfig.json", "tsconfig.next.json", "package-lock.json"],
  ...["scripts/setup/build.mjs", "scripts/setup/bundle.mjs"],
];

/** The production server's program. */
export const mainProgram = inProject("dist", "main.js");

/** The program of a separate worker. */
export const workerProgram = inProject("dist", "worker.js");

const stampText = () => checksum(sources, [process.version]);

/** Whether the build on disk matches the sources. */
export function isBuilt() {
  return existsSync(mainProgram) && existsSync(workerProgram) && isStamped(stampFile, stampText());
}

/** Builds what `npm start` and the tests over HTTP run, unless it is up to date. */
export async function build() {
  if (isBuilt()) return;
  const stamp = stampText();
  rmSync(inProject(stampFile), { force: true });
  await runStep({
    name: "build",
    title: "building the pages",
    command: process.execPath,
    args: ["node_modules/next/dist/bin/next", "build"],
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
  await bundleServer();
  writeStamp(stampFile, stamp);
}

/** Next does not build a custom server. */
async function bundleServer() {
  const startedAt = Date.now();
  const outdir = inProject("dist");
  rmSync(outdir, { recursive: true, force: true });
  await bundle({ entryPoints: ["server/main.ts", "server/worker.ts"], outdir, sourcemap: true });
  say(`bundling the programs: done in ${elapsed(startedAt)}`);
}
