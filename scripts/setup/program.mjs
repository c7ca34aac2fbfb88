// Runs a built program in this process, so that signals reach it. First installs and builds what is missing or stale.
import { pathToFileURL } from "node:url";
import { prepare, reportFailure } from "./prepare.mjs";
import { loadDotenv, root } from "./project.mjs";

/** Runs the program at `file` with the settings of .env. */
export async function runProgram(file) {
  try {
    process.chdir(root);
    loadDotenv();
    await prepare({ needsBuild: true });
    process.env.NODE_ENV = "production";
    await import(pathToFileURL(file).href);
  } catch (error) {
    reportFailure(error);
  }
}
