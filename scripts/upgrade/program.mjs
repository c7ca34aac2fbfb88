// Bundles a version's server for the upgrade tests: /v1 and the worker without the dashboard, which needs a long build.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../setup/bundle.mjs";

/**
 * Loaded from node_modules. Every other package is bundled, so that a later release of it does not change how an old
 * version runs.
 */
const external = ["better-sqlite3", "@node-rs/argon2", "piscina", "pg-native"];

const noPages = fileURLToPath(new URL("no-pages.mjs", import.meta.url));

/** The text of the program in the tree at `root`. It runs with `root`, or the files below, as its working directory. */
export async function bundleServer(root, { minify = false } = {}) {
  const { outputFiles } = await bundle({
    root,
    entryPoints: ["server/main.ts"],
    outfile: "server.mjs",
    write: false,
    minify,
    legalComments: "none",
    external,
    alias: { next: noPages },
    logLevel: "error",
  });
  return outputFiles[0].text;
}

/** The files that the program reads at run time, by their paths: migrations, and the scripts of worker threads. */
export function filesOf(root) {
  const names = ["server", "db"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      path.posix.join(folder, file.replaceAll(path.sep, "/")),
    ),
  );
  const wanted = names.filter((name) => /\.(sql|cjs)$/.test(name) || name.endsWith("/_journal.json"));
  return Object.fromEntries(wanted.map((name) => [name, readFileSync(path.join(root, name), "utf8")]));
}
