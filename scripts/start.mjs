// npm start: installs, builds, and runs the production server in this same process, so that signals reach it.
import { pathToFileURL } from "node:url";
import { MAIN } from "./setup/build.mjs";
import { prepare, reportFailure } from "./setup/prepare.mjs";
import { loadDotenv, ROOT } from "./setup/project.mjs";

async function start() {
  process.chdir(ROOT);
  loadDotenv();
  await prepare({ needsBuild: true });
  process.env.NODE_ENV = "production";
  await import(pathToFileURL(MAIN).href);
}

await start().catch(reportFailure);
