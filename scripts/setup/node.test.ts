// The set-up recognizes supported versions of Node before any package is installed.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isInRanges } from "./node.mjs";

const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
const versions = {
  "20.20.2": false,
  "21.7.3": false,
  "22.13.0": false,
  "22.19.0": false,
  "22.20.0": true,
  "22.23.5": true,
  "23.11.1": false,
  "24.0.0": true,
  "25.0.0": true,
};

it("accepts exactly the versions that package.json names", () => {
  expect(Object.keys(versions).filter((version) => isInRanges(version, engines.node))).toEqual(
    Object.keys(versions).filter((version) => versions[version as keyof typeof versions]),
  );
});
