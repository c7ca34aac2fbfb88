// What every command needs first: a Node that is new enough, the packages, and the build if it is to run.
import { build, isBuilt } from "./build.mjs";
import { compile, isInstalled, unpack } from "./install.mjs";
import { underLock } from "./lock.mjs";
import { requireNode } from "./node.mjs";
import { SetupError } from "./project.mjs";
import { allDone } from "./step.mjs";

/** Installs and builds what is missing or stale; does nothing, without a lock, when all is up to date. */
export async function prepare({ needsBuild }) {
  requireNode();
  const isReady = () => isInstalled() && (!needsBuild || isBuilt());
  if (isReady()) return;
  await underLock(async () => {
    await unpack();
    await allDone([compile(), needsBuild ? build() : null]);
  });
}

/** Prints why a command could not do its work, and makes it exit with 1. */
export function reportFailure(error) {
  console.error(error instanceof SetupError ? `\n${error.message}\n` : error);
  process.exitCode = 1;
}
