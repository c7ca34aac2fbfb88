// Kills this process right before its n-th change of files: node --import ./test/kill-at-step.mjs, with KILL_AT=<n>.
// With KILL_AT=0 it counts the changes and prints their number last.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const changes = ["copyFileSync", "fsyncSync", "linkSync", "mkdirSync", "renameSync", "rmSync", "writeFileSync"];
const killAt = Number(process.env.KILL_AT);
let step = 0;

for (const name of changes) {
  const change = fs[name];
  fs[name] = (...values) => {
    step++;
    if (step === killAt) process.kill(process.pid, "SIGKILL");
    return change(...values);
  };
}
syncBuiltinESMExports();
if (killAt === 0) process.on("exit", () => console.log(step));
