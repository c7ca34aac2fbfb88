// The rules for migrations that squawk does not know.
import { expect, it } from "vitest";
import { faultsOf } from "./migrations.mjs";

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
