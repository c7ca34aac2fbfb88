// npm start: installs, builds, and runs the production server.
import { mainProgram } from "./setup/build.mjs";
import { runProgram } from "./setup/program.mjs";

await runProgram(mainProgram);
