// Installs Debian packages for the tests, where npm test runs as root: in a container or on a CI machine.
import { existsSync } from "node:fs";
import { runStep, say } from "./step.mjs";

/** Whether packages can be installed without asking anyone. */
export const canInstall = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

/** Installs packages. Only prints why that failed: a system that has apt-get may lack a package. */
export async function installFromDebian(packages) {
  const names = packages.join(" ");
  const script = `apt-get update && apt-get install -y --no-install-recommends ${names}`;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const step = { name: "debian", title: `installing ${names}`, command: "sh", args: ["-c", script], env };
  await runStep(step).catch((error) => say(error.message));
}
