// Every route file of the contract names the operations of its path.
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test, vi } from "vitest";
import type { Operation } from "@/server/kit/operation";
import { operations } from "@/server/pipeline/operations";

const named = vi.hoisted(() => ({ last: [] as Operation[] }));

// Records which operations a route file names, instead of creating their handlers.
vi.mock("@/server/http/web", () => ({
  route(...given: Operation[]) {
    named.last = given;
    return Object.fromEntries(
      ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((name) => [name, given]),
    );
  },
}));

const root = import.meta.dirname;
const onRest = Object.values(operations as Record<string, Record<string, Operation>>)
  .flatMap((verbs) => Object.values(verbs))
  .filter(({ rest }) => rest !== undefined);
const rowOf = ({ rest }: Operation): string => `${rest?.method} ${rest?.path}`;
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|[\\/])route\.ts$/.test(file))
  .map((file) => join(root, file));
const pathOf = (file: string) =>
  `/v1/${relative(root, file).replaceAll("\\", "/")}`.replace(/\/route\.ts$/, "").replaceAll(/\[(\w+)\]/g, "{$1}");

test("the files cover every operation's path, plus one catch-all", () => {
  const paths = new Set([...onRest.map(({ rest }) => String(rest?.path)), "/v1/[...path]"]);
  expect(files.map(pathOf).sort()).toEqual([...paths].sort());
});

test.each(files.map((file) => [pathOf(file), file]))("%s names the operations of its path", async (path, file) => {
  const exported = (await import(file)) as Record<string, unknown>;
  expect(Object.keys(exported).sort()).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
  const rows = onRest.filter(({ rest }) => rest?.path === path).map(rowOf);
  expect(named.last.map(rowOf).sort()).toEqual(rows.sort());
});
