// Bundles a program of the repository for tests that start it often. tsx would compile all its modules at each start.
import { rmSync } from "node:fs";
import path from "node:path";
import { bundle } from "../scripts/setup/bundle.mjs";

const root = path.resolve(import.meta.dirname, "..");
const bundles = new Map<string, Promise<string>>();

/** Bundles a program (a path from the root) once in this process. Resolves to the path of a file that Node can run. */
export function bundleOf(program: string): Promise<string> {
  const bundle = bundles.get(program) ?? write(program);
  bundles.set(program, bundle);
  return bundle;
}

async function write(program: string): Promise<string> {
  // Inside the project, where packages are found.
  const outdir = path.join(root, ".setup/programs", `${path.basename(program, ".ts")}-${process.pid}`);
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  await bundle({ entryPoints: [program], outdir });
  return path.join(outdir, path.basename(program).replace(/\.ts$/, ".js"));
}
