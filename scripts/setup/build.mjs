// Builds the pages (Next) and the server (esbuild) when a source file has changed since the last build.
import { existsSync, rmSync } from "node:fs";
import { checksum, inProject, isStamped, ROOT, writeStamp } from "./project.mjs";
import { elapsed, runStep, say } from "./step.mjs";

const STAMP = "dist/.stamp";
const SOURCES = [
  ...["app", "server", "db", "messages", "public", "proxy.ts", "instrumentation.ts"],
  ...["next.config.js", "tsconfig.json", "tsconfig.next.json", "package-lock.json", "scripts/setup/build.mjs"],
];

/** The production server's program. */
export const MAIN = inProject("dist", "main.js");

/** The program of a separate worker. */
export const WORKER = inProject("dist", "worker.js");

const stampText = () => checksum(SOURCES, [process.version]);

/** Whether the build on disk matches the sources. */
export function isBuilt() {
  return existsSync(MAIN) && existsSync(WORKER) && isStamped(STAMP, stampText());
}

/** Builds what `npm start` and the tests over HTTP run, unless it is up to date. */
export async function build() {
  if (isBuilt()) return;
  const stamp = stampText();
  rmSync(inProject(STAMP), { force: true });
  await runStep({
    name: "build",
    title: "building the pages",
    command: process.execPath,
    args: ["node_modules/next/dist/bin/next", "build"],
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
  await bundleServer();
  writeStamp(STAMP, stamp);
}

/** Next does not build a custom server. Packages stay outside the bundle. */
async function bundleServer() {
  const startedAt = Date.now();
  const { build: bundle } = await import("esbuild");
  await bundle({
    absWorkingDir: ROOT,
    entryPoints: ["server/main.ts", "server/worker.ts"],
    outdir: inProject("dist"),
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    alias: { "@": ROOT },
    sourcemap: true,
    logLevel: "warning",
  });
  say(`bundling the programs: done in ${elapsed(startedAt)}`);
}
