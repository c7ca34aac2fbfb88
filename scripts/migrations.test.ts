// The rules for migrations that squawk does not know, and that squawk itself has run.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { faultsOf, squawk } from "./migrations.mjs";

const check = (text: string): string[] => faultsOf("0099_x.sql", text);

it.each([
  'UPDATE "payments" SET "amount" = 1;',
  '-- Why.\ndelete from "jobs";',
  'ALTER TABLE "a" ADD COLUMN "b" text;--> statement-breakpoint\nUPDATE "a" SET "b" = 1;',
  'DROP INDEX CONCURRENTLY "a_b";',
  'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "a_b" ON "a" ("b");',
  'CREATE INDEX CONCURRENTLY "a_b" ON "a" ("b"); ALTER TABLE "a" ADD COLUMN "c" text;',
])("finds a fault in %s", (text) => {
  expect(check(text)).toEqual([expect.stringContaining("0099_x.sql")]);
});

it("accepts what changes no rows, and what schedules a job", () => {
  const statements = [
    'ALTER TABLE "a" ADD COLUMN "b" text;',
    '-- UPDATE is a word here.\nCREATE INDEX CONCURRENTLY "a_b" ON "a" ("b");',
    'DROP INDEX CONCURRENTLY IF EXISTS "a_c";',
    `INSERT INTO "jobs" SELECT "id" FROM "organizations" ON CONFLICT ("key") DO UPDATE SET "status" = 'waiting';`,
  ];
  expect(check(statements.join("--> statement-breakpoint\n"))).toEqual([]);
});

describe("squawk", () => {
  let file: string;
  beforeEach(() => {
    file = join(mkdtempSync(join(tmpdir(), "quittance-squawk-")), "0099_x.sql");
  });
  afterEach(() => rmSync(join(file, ".."), { recursive: true }));

  it("finds a statement that blocks others, and accepts one that does not", () => {
    writeFileSync(file, 'ALTER TABLE "a" ADD COLUMN "b" text;');
    expect(squawk([file])).toEqual({ faults: [], note: null });
    writeFileSync(file, 'CREATE INDEX "a_b" ON "a" ("b");');
    expect(squawk([file]).faults).toEqual([expect.stringContaining("require-concurrent-index-creation")]);
  });

  it("is a fault if it does not start or is not installed, and a note if there is none for the system", () => {
    expect(squawk([file], () => join(file, "../squawk")).faults).toEqual([expect.stringContaining("did not start")]);
    expect(squawk([file], () => process.execPath).faults).toEqual([expect.stringContaining("bad option")]);
    const failing = (message: string) => () => {
      throw new Error(message);
    };
    expect(squawk([file], failing('squawk: the "x" optional dependency was not installed.')).faults).toHaveLength(1);
    expect(squawk([file], failing('squawk: unsupported platform "sunos-x64".'))).toEqual({
      faults: [],
      note: expect.stringMatching(/^Note: .*not checked.*sunos/),
    });
  });
});
