// The browser receives every text that a client component uses: a missing one would show as its key.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const sources = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
  .map((name) => ({ name, text: readFileSync(join("app", name), "utf8") }));

/** The parts of the catalog that app/layout.tsx sends. */
const sent: readonly string[] =
  /const forClients = \[([^\]]*)\]/.exec(readFileSync("app/layout.tsx", "utf8"))?.[1]?.match(/\w+/g) ?? [];

it("includes every part of the catalog that a client component uses", () => {
  const clients = sources.filter(({ text }) => text.includes('"use client"'));
  const named = clients.flatMap(({ name, text }) =>
    [...text.matchAll(/useTranslations\("(\w+)/g)].map(([, part]) => ({ name, part })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ part }) => !sent.includes(part ?? ""))).toEqual([]);
});
