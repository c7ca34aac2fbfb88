// The project's root folder, its .env file, and checksums that show whether a generated file is stale.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the project. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** A failure whose message is meant for the user at the terminal. Other errors are shown with their stack. */
export class SetupError extends Error {}

/** A path inside the project. */
export const inProject = (...parts) => path.join(root, ...parts);

/** Reads .env. Variables that are already set win. */
export function loadDotenv() {
  const file = inProject(".env");
  if (!existsSync(file)) return;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    throw new SetupError(`.env cannot be read: ${error.message}`);
  }
}

/** The SHA-256 checksum of the given files (folders recursively) and texts. Missing files count as absent. */
export function checksum(files, texts = []) {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text}\0`);
  for (const file of files) addToHash(hash, file);
  return hash.digest("hex");
}

/** Tests are not part of the product, so changing one does not make the build stale. */
const isTest = (name) => /\.(test|spec)\.tsx?$/.test(name);

function addToHash(hash, file) {
  const absolute = inProject(file);
  if (!existsSync(absolute)) return;
  if (statSync(absolute).isDirectory()) {
    for (const name of readdirSync(absolute).sort()) if (!isTest(name)) addToHash(hash, `${file}/${name}`);
    return;
  }
  hash.update(`${file}\0`).update(readFileSync(absolute)).update("\0");
}

/** Whether the stamp file contains exactly this checksum. */
export function isStamped(file, sum) {
  return existsSync(inProject(file)) && readFileSync(inProject(file), "utf8") === sum;
}

/** Writes the stamp, last of all, so that an interrupted step is repeated. */
export function writeStamp(file, sum) {
  mkdirSync(path.dirname(inProject(file)), { recursive: true });
  writeFileSync(inProject(file), sum);
}
