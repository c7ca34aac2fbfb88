// npm run worker: installs, builds, and runs a worker for background jobs as a separate process.
import { workerProgram } from "./setup/build.mjs";
import { runProgram } from "./setup/program.mjs";

await runProgram(workerProgram);
