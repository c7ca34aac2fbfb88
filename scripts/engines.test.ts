// A dependency that excludes a supported version of Node is named.
import { expect, it } from "vitest";
import { faultsOf } from "./engines.mjs";

const packages = {
  "": { engines: { node: ">=26" } },
  "node_modules/fits": { engines: { node: "20.x || 22.x || >=24" } },
  "node_modules/says-nothing": {},
  "node_modules/@types/node": { version: "22.1.0" },
  "node_modules/newer": { engines: { node: ">=22" } },
  "node_modules/a/node_modules/@b/gap": { engines: { node: "^20.19.0 || >=22.14.0" } },
  "node_modules/binary": { engines: { node: ">=24" }, optional: true },
};

it("names each package and the versions that it excludes, and types that are too new", () => {
  expect(faultsOf({ packages }, "^20.19.0 || ^22.13.0 || >=24.0.0")).toEqual([
    "newer needs Node >=22, which excludes 20.19.0.",
    "@b/gap needs Node ^20.19.0 || >=22.14.0, which excludes 22.13.0.",
    "@types/node is 22.1.0; its major version must be that of the oldest Node, 20.19.0.",
  ]);
});
