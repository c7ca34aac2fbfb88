// Installs the packages of a folder that has a package.json of its own.
import { runNpm } from "./install.mjs";
import { checksum, inProject, isStamped, writeStamp } from "./project.mjs";

/** Installs exactly the folder's lockfile, unless that was done before. `name` and `title` are those of the step. */
export async function installPackagesOf(folder, { name, title }) {
  const stampFile = `${folder}/node_modules/.setup`;
  const stampText = checksum([`${folder}/package-lock.json`], [process.version]);
  if (isStamped(stampFile, stampText)) return;
  await runNpm({
    name,
    title,
    args: ["ci", "--prefix", inProject(folder), "--ignore-scripts", "--no-audit", "--no-fund"],
  });
  writeStamp(stampFile, stampText);
}
