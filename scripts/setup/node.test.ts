// The set-up recognizes supported versions of Node before any package is installed.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isInRanges } from "./node.mjs";

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

it("accepts exactly the versions that package.json names", () => {
  expect(Object.keys(versions).filter((version) => isInRanges(version, engines.node))).toEqual(
    Object.keys(versions).filter((version) => versions[version as keyof typeof versions]),
  );
});
