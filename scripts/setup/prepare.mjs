// What every command needs first: a supported Node, the packages, and a build if it runs the product.
import { build, isBuilt } from "./build.mjs";
import { compile, isInstalled, unpack } from "./install.mjs";
import { underLock } from "./lock.mjs";
import { requireNode } from "./node.mjs";
import { SetupError } from "./project.mjs";
import { allDone } from "./step.mjs";

/** Installs and builds what is missing or stale. Does nothing, without a lock, if everything is up to date. */
export async function prepare({ needsBuild }) {
  requireNode();
  const isReady = () => isInstalled() && (!needsBuild || isBuilt());
  if (isReady()) return;
  await underLock(async () => {
    const packages = unpack();
    await allDone([compile(packages), needsBuild ? packages.then(build) : null]);
  });
}

/** Prints why a command failed, and makes it exit with 1. */
export function reportFailure(error) {
  console.error(error instanceof SetupError ? `\n${error.message}\n` : error);
  process.exitCode = 1;
}
