// Finds the programs that the README's first payment needs, or installs them.
import { spawnSync } from "node:child_process";
import { canInstall, installFromDebian } from "./debian.mjs";
import { say } from "./step.mjs";

const shellTools = ["curl", "jq"];

/** Installs what is missing, where that is possible. Elsewhere the test that needs it fails and names it. */
export async function findShellTools() {
  const missing = shellTools.filter((tool) => spawnSync(tool, ["--version"], { stdio: "ignore" }).status !== 0);
  if (missing.length === 0) return;
  if (canInstall()) await installFromDebian(missing);
  else say(`the test of the README needs ${missing.join(" and ")}: please install`);
}
