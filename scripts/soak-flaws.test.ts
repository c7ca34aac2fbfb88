// Flaws that the soak must find: each still fits the product. `npm run soak -- --flaw <name>` plants one.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { flaws, planting } from "./soak-flaws.mjs";

const root = path.resolve(import.meta.dirname, "..");

it.each(Object.entries(flaws))("%s replaces what its module says once", (_, { file, original, flawed }) => {
  const text = readFileSync(path.join(root, file), "utf8");
  expect(text.split(original)).toHaveLength(2);
  expect(text).not.toContain(flawed);
});

it("an unknown flaw is refused by name", () => {
  expect(() => planting("unknown")).toThrow("There is no flaw unknown. Known: hidden-attempt,");
});
