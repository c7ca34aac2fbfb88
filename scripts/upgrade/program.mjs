// Bundles a version's server for the upgrade tests: /v1 and the worker without the dashboard, which needs a long build.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** They load native code or files of their own; every other package is part of the bundle. */
const external = ["better-sqlite3", "@node-rs/argon2", "piscina", "pg-native"];

const noPages = fileURLToPath(new URL("no-pages.mjs", import.meta.url));

/** The text of the program in the tree at `root`. It runs with `root`, or the files below, as its working directory. */
export async function bundleServer(root, { minify = false } = {}) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["server/main.ts"],
    outfile: "server.mjs",
    write: false,
    bundle: true,
    minify,
    keepNames: true,
    legalComments: "none",
    platform: "node",
    target: "node20",
    format: "esm",
    external: external,
    alias: { "@": root, next: noPages },
    // Packages in CommonJS call require for Node's own modules.
    banner: {
      js: 'import { createRequire as ownRequire } from "node:module"; const require = ownRequire(import.meta.url);',
    },
    logLevel: "error",
  });
  return outputFiles[0].text;
}

/** The files that the program reads at run time, by their paths: migrations, and workers of threads. */
export function filesOf(root) {
  const names = ["server", "db"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      path.posix.join(folder, file.replaceAll(path.sep, "/")),
    ),
  );
  const wanted = names.filter((name) => /\.(sql|cjs)$/.test(name) || name.endsWith("/_journal.json"));
  return Object.fromEntries(wanted.map((name) => [name, readFileSync(path.join(root, name), "utf8")]));
}
