// Every action has words in each language of the dashboard: those of operations, of background work and of the command
// line. All words belong to an action.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { catalogs } from "@/app/_i18n/catalogs";
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

test.each(["en", "de"] as const)("every action has words, and nothing that is no action has (%s)", (language) => {
  const called = Object.values(operations).flatMap((verbs) => Object.values(verbs).map(({ id }) => id));
  const background = namedInSource();
  expect(background).toContain("payments.expire");
  const worded = Object.entries(catalogs[language].auditLog.actions).flatMap(([domain, verbs]) =>
    Object.keys(verbs).map((verb) => `${domain}.${verb}`),
  );
  const actions = new Set([...called, ...background].map(actionOf));
  expect([...actions].filter((action) => !worded.includes(action))).toEqual([]);
  expect(worded.filter((action) => !actions.has(action))).toEqual([]);
});
