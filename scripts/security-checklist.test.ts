// docs/security-checklist.md: every line names tests that exist, or says why it is not met.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const text = readFileSync(path.join(root, "docs/security-checklist.md"), "utf8");

const rows = text
  .split("\n")
  .filter((line) => /^\| \d+ \|/.test(line))
  .map((line) => ({ line, number: Number.parseInt(line.slice(2), 10), isMet: / \| met \|$/.test(line) }));

/** A test file in backquotes, and a piece of its text in quotes. */
const named = /`([^`]+\.(?:test|spec)\.ts)` "((?:[^"]|"(?!<br>| \|))+)"/g;

describe("the security checklist", () => {
  it("has sixty lines, numbered in order", () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });

  it("names tests whose files exist and contain the quoted text", () => {
    const missing = rows.flatMap(({ line }) =>
      [...line.matchAll(named)]
        .filter(([, file = "", quoted = ""]) => {
          const place = path.join(root, file);
          return !existsSync(place) || !readFileSync(place, "utf8").includes(quoted);
        })
        .map(([found]) => found),
    );
    expect(missing).toEqual([]);
  });

  it("has a test for each line that is met, and a reason for each that is not", () => {
    const faulty = rows.filter(({ line, isMet }) =>
      isMet ? line.match(named) === null : !/ \| not met: .{40,} \|$/.test(line),
    );
    expect(faulty.map(({ number }) => number)).toEqual([]);
  });

  it("counts the lines that are met", () => {
    const met = rows.filter(({ isMet }) => isMet).length;
    expect(met).toBeGreaterThanOrEqual(54);
    expect(text).toContain(`${met} of the 60 lines are met.`);
  });
});

it("the product calls no HTTP server, so it follows no redirect", () => {
  const sources = ["server", "db"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$/.test(name))
      .map((name) => path.join(folder, name)),
  );
  const call = /\bfetch\(|\bhttps?\.(?:request|get)\(|\bundici\b|\baxios\b/;
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.filter((file) => call.test(readFileSync(path.join(root, file), "utf8")))).toEqual([]);
});
