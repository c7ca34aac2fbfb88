// npm run worker: installs, builds, and runs a worker for background jobs in a process of its own.
import { WORKER } from "./setup/build.mjs";
import { runProgram } from "./setup/program.mjs";

await runProgram(WORKER);
