// Bundles programs with esbuild. A program and its packages in few files start in two thirds of the time.
import { root as ownRoot } from "./project.mjs";

/** Compiled packages, packages that find their own files at run time, and those of which Next loads the same copy. */
const external = ["next", "better-sqlite3", "@node-rs/argon2", "pg", "pg-native", "pino", "piscina", "prom-client"];

/** Packages in CommonJS call require for Node's own modules. */
const requireFunction =
  'import { createRequire as ownRequire } from "node:module"; const require = ownRequire(import.meta.url);';

/** Bundles programs of the tree at `root`; `options` are esbuild's own. Resolves to its result. */
export async function bundle({ root = ownRoot, alias = {}, ...options }) {
  // Imported here, because the first start imports this module before the packages are installed.
  const { build } = await import("esbuild");
  return build({
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    target: "node22",
    format: "esm",
    external,
    alias: { "@": root, ...alias },
    banner: { js: requireFunction },
    // Modules that are imported on demand become files of their own; in one file, esbuild initializes some too late.
    splitting: options.outfile === undefined,
    logLevel: "warning",
    ...options,
  });
}
