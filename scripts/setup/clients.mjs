// Installs the packages that generate clients from openapi.json for the tests. They need an older TypeScript than ours.
import { runNpm } from "./install.mjs";
import { checksum, inProject, isStamped, writeStamp } from "./project.mjs";

const FOLDER = "e2e/clients";
const STAMP = `${FOLDER}/node_modules/.setup`;

const stampText = () => checksum([`${FOLDER}/package-lock.json`], [process.version]);

/** Installs exactly the lockfile of e2e/clients, unless that was done before. */
export async function installClients() {
  if (isStamped(STAMP, stampText())) return;
  await runNpm({
    name: "clients",
    title: "installing the generators of API clients",
    args: ["ci", "--prefix", inProject(FOLDER), "--ignore-scripts", "--no-audit", "--no-fund"],
  });
  writeStamp(STAMP, stampText());
}
