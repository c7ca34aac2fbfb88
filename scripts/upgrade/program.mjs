// Bundles a version's server for the upgrade tests: /v1 and the worker without the dashboard, which needs a long build.
import { fileURLToPath } from "node:url";
import { bundle } from "../setup/bundle.mjs";

/** Loaded from node_modules. Every other package is bundled, so that the program starts fast. */
const external = ["better-sqlite3", "@node-rs/argon2", "piscina", "pg-native"];

const noPages = fileURLToPath(new URL("no-pages.mjs", import.meta.url));

/** The text of the program of the tree at `root`, which is its working directory. */
export async function bundleServer(root) {
  const { outputFiles } = await bundle({
    root,
    entryPoints: ["server/main.ts"],
    outfile: "server.mjs",
    write: false,
    external,
    alias: { next: noPages },
    logLevel: "error",
  });
  return outputFiles[0].text;
}
