// The set-up recognizes supported versions of Node before any package is installed.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
const versions = {
  "18.20.8": false,
  "20.18.3": false,
  "20.19.0": true,
  "20.20.2": true,
  "21.7.3": false,
  "22.12.0": false,
  "22.13.0": true,
  "22.23.3": true,
  "23.11.1": false,
  "24.0.0": true,
  "25.0.0": true,
};

it("accepts exactly the versions that package.json names", async () => {
  const program = `
    const { isInRanges } = await import("./scripts/setup/node.mjs");
    const versions = JSON.parse(process.argv[1]);
    console.log(JSON.stringify(versions.filter((version) => isInRanges(version, process.argv[2]))));
  `;
  const args = ["--input-type=module", "--eval", program, JSON.stringify(Object.keys(versions)), engines.node];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual(
    Object.keys(versions).filter((version) => versions[version as keyof typeof versions]),
  );
});
