// The browser receives the texts that a page's client components use: a missing one would show as its key. It receives
// no others: texts are in the HTML of each page.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const files = readdirSync("app", { recursive: true, encoding: "utf8" }).map((name) => join("app", name));
const pages = files.filter((name) => /[/\\]page\.tsx$/.test(name));
const layouts = files.filter((name) => /[/\\]layout\.tsx$/.test(name));
const texts = new Map(files.filter((name) => /\.tsx?$/.test(name)).map((name) => [name, readFileSync(name, "utf8")]));
const textOf = (file: string) => texts.get(file) ?? "";

/** The files of app/ that a file imports, now or on demand; imports of types do not count. */
function importsOf(file: string): string[] {
  const found = textOf(file).matchAll(
    /(?:^|\n)(?:im|ex)port (?!type )(?:[^;"]*? from )?"([^"]+)"|import\("([^"]+)"\)/g,
  );
  return [...found].flatMap(([, now, onDemand]) => {
    const name = now ?? onDemand ?? "";
    if (!name.startsWith(".") && !name.startsWith("@/app/")) return [];
    const base = name.startsWith(".") ? join(dirname(file), name) : name.slice("@/".length);
    return [`${base}.tsx`, `${base}.ts`].filter((each) => existsSync(each));
  });
}

const known = new Map<string, Set<string>>();

/** The parts of the catalog that client components behind `entry` use. */
function usedBy(entry: string): Set<string> {
  const parts = known.get(entry) ?? readParts(entry);
  known.set(entry, parts);
  return parts;
}

function readParts(entry: string): Set<string> {
  const seen = new Set<string>();
  const parts = new Set<string>();
  function visit(file: string, importedByClient: boolean): void {
    const isClient = importedByClient || /^"use client"/m.test(textOf(file));
    const key = `${file} ${isClient}`;
    if (seen.has(key)) return;
    seen.add(key);
    if (isClient) for (const [, part] of textOf(file).matchAll(/useTranslations\("(\w+)/g)) parts.add(part ?? "");
    for (const each of importsOf(file)) visit(each, isClient);
  }
  visit(entry, false);
  return parts;
}

/** The layouts around a page, and the page itself. */
const around = (page: string) => [page, ...layouts.filter((layout) => page.startsWith(dirname(layout)))];

/** The parts of the catalog that a layout sends. */
const sentBy = (layout: string): string[] =>
  /(?:forClients = |layoutWithTexts\()\[([^\]]*)\]/.exec(textOf(layout))?.[1]?.match(/\w+/g) ?? [];

it("includes every part of the catalog that client components of a page use", () => {
  expect(usedBy("app/dashboard/api-keys/page.tsx")).toContain("apiKeys");
  const missing = pages.flatMap((page) => {
    const sent = new Set(around(page).flatMap(sentBy));
    const used = [...around(page), "app/error.tsx"].flatMap((file) => [...usedBy(file)]);
    return used.filter((part) => !sent.has(part)).map((part) => `${page}: ${part}`);
  });
  expect(missing).toEqual([]);
});

it("includes no part of the catalog that no page below a layout uses", () => {
  const superfluous = layouts.flatMap((layout) => {
    const below = pages.filter((page) => around(page).includes(layout));
    const used = new Set(below.flatMap((page) => around(page).flatMap((file) => [...usedBy(file)])));
    return sentBy(layout).flatMap((part) => (used.has(part) || part === "failure" ? [] : [`${layout}: ${part}`]));
  });
  expect(superfluous).toEqual([]);
});
