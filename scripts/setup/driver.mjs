// How the SQLite driver is compiled for a version of Node.
import { existsSync } from "node:fs";
import path from "node:path";
import { inProject } from "./project.mjs";

const OBJECT_WRAP = "scripts/setup/object-wrap.h";

/** What the driver is compiled from besides its package; before Node 24, object-wrap.h changes nothing. */
export const DRIVER_SOURCES = Number(process.versions.node.split(".")[0]) >= 24 ? [OBJECT_WRAP] : [];

/** The environment for compiling the driver against the headers of the Node installed at `prefix`. */
export function compilerEnvironment(prefix) {
  const hasHeaders = existsSync(path.join(prefix, "include/node/node.h"));
  return {
    // A downloaded binary would not be covered by the lockfile's checksums.
    npm_config_build_from_source: "better-sqlite3",
    // Without headers beside it, npm's own setting is used, or they are downloaded.
    ...(hasHeaders ? { npm_config_nodedir: prefix } : {}),
    CXXFLAGS: `${process.env.CXXFLAGS ?? ""} -include "${inProject(OBJECT_WRAP)}"`.trim(),
  };
}
