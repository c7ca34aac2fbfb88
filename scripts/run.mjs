// Runs a TypeScript program of this repository with the settings in .env: node scripts/run.mjs <file> [arguments].
import { spawn } from "node:child_process";
import { loadDotenv, root } from "./setup/project.mjs";

loadDotenv();
const child = spawn(process.execPath, ["--import", "tsx", ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal === "SIGINT" ? 130 : 143);
});
