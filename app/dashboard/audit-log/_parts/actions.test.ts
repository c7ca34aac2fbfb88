// Every action of background work and of the command line has words, and all words belong to an action. An operation
// without words is shown by its summary.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import texts from "@/messages/en.json";
import { actionOf } from "@/server/domains/timeline/audit-log";
import { operations } from "@/server/pipeline/operations";

const server = path.resolve(import.meta.dirname, "../../../../server");

/** What writes without a caller names its action in the source: as an argument, a constant or a column. */
const namings = [
  /(?:inBackground|startOrganization)\(\s*runtime,\s*"([^"]+)"/g,
  /const task = "([^"]+)"/g,
  /\boperation: "([^"]+)"/g,
];

function namedInSource(): string[] {
  const files = readdirSync(server, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const all = sources.map((file) => readFileSync(path.join(server, file), "utf8")).join("\n");
  return namings.flatMap((naming) => [...all.matchAll(naming)].map(([, name = ""]) => name));
}

test("every action without a summary has words, and nothing that is no action has", () => {
  const called = Object.values(operations).flatMap((verbs) => Object.values(verbs).map(({ id }) => id));
  const background = namedInSource();
  expect(background).toContain("payments.expire");
  const worded = Object.entries(texts.auditLog.actions).flatMap(([domain, verbs]) =>
    Object.keys(verbs).map((verb) => `${domain}.${verb}`),
  );
  expect(background.filter((name) => !called.includes(name) && !worded.includes(actionOf(name)))).toEqual([]);
  const actions = new Set([...called, ...background].map(actionOf));
  expect(worded.filter((action) => !actions.has(action))).toEqual([]);
});
