// What every command needs first: a supported Node, the packages, and a build if it runs the product.
import { build, isBuilt } from "./build.mjs";
import { install, isInstalled } from "./install.mjs";
import { underLock } from "./lock.mjs";
import { requireNode, requireSystem } from "./node.mjs";
import { SetupError } from "./project.mjs";

/** Installs and builds what is missing or stale. Does nothing, without a lock, if everything is up to date. */
export async function prepare({ needsBuild }) {
  requireNode();
  requireSystem();
  const isReady = () => isInstalled() && (!needsBuild || isBuilt());
  if (isReady()) return;
  await underLock(async () => {
    await install();
    if (needsBuild) await build();
  });
}

/** Prints why a command failed, and makes it exit with 1. */
export function reportFailure(error) {
  console.error(error instanceof SetupError ? `\n${error.message}\n` : error);
  process.exitCode = 1;
}
