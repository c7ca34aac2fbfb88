// Which version of the product runs.
import { readFileSync } from "node:fs";
import path from "node:path";

/** The version in package.json. Every program runs in the folder that has it. */
export const productVersion = (): string =>
  String(JSON.parse(readFileSync(path.join(process.cwd(), "package.json"), "utf8")).version);
