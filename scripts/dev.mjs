// npm run dev: Next's development server, with the packages installed and .env read.
import { spawn } from "node:child_process";
import { prepare, reportFailure } from "./setup/prepare.mjs";
import { loadDotenv, root } from "./setup/project.mjs";

async function develop() {
  loadDotenv();
  await prepare({ needsBuild: false });
  const { PORT = "3000", HOST = "127.0.0.1" } = process.env;
  const args = ["node_modules/next/dist/bin/next", "dev", "-p", PORT, "-H", HOST];
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => {
    process.exitCode = code ?? 0;
  });
}

await develop().catch(reportFailure);
