// Installs the packages that generate clients from openapi.json for the tests. They need an older TypeScript than ours.
import { runNpm } from "./install.mjs";
import { checksum, inProject, isStamped, writeStamp } from "./project.mjs";

const folder = "e2e/clients";
const stampFile = `${folder}/node_modules/.setup`;

const stampText = () => checksum([`${folder}/package-lock.json`], [process.version]);

/** Installs exactly the lockfile of e2e/clients, unless that was done before. */
export async function installClients() {
  if (isStamped(stampFile, stampText())) return;
  await runNpm({
    name: "clients",
    title: "installing the generators of API clients",
    args: ["ci", "--prefix", inProject(folder), "--ignore-scripts", "--no-audit", "--no-fund"],
  });
  writeStamp(stampFile, stampText());
}
