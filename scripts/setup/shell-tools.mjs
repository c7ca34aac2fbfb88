// Finds the programs that the README's first payment needs, or installs them.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { runStep, say } from "./step.mjs";

const TOOLS = ["curl", "jq"];

/** Installs what is missing, where that is possible. Elsewhere the test that needs it fails and names it. */
export async function findShellTools() {
  const missing = TOOLS.filter((tool) => spawnSync(tool, ["--version"], { stdio: "ignore" }).status !== 0);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    say(`the test of the README needs ${missing.join(" and ")}: please install`);
    return;
  }
  const script = `apt-get update && apt-get install -y --no-install-recommends ${missing.join(" ")}`;
  const title = `installing ${missing.join(" and ")}`;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const step = { name: "shell-tools", title, command: "sh", args: ["-c", script], env };
  await runStep(step).catch((error) => say(error.message));
}
