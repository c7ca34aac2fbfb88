// Migrations from the schema: the same each time until a release, and from then on one more for each change.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "@/test/temporary-folder";
import {
  addMigration,
  changesSinceRelease,
  engines,
  filesOf,
  writeInitial,
  writeSnapshot,
} from "./generate-migrations";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder("quittance-generate-");
});
afterEach(() => rmSync(folder, { recursive: true }));

const journalOf = (engine: "sqlite" | "postgres") =>
  JSON.parse(readFileSync(filesOf(engine, folder).journal, "utf8")).entries;
const added = (engine: "sqlite" | "postgres") =>
  readFileSync(filesOf(engine, folder).sql("0001_more"), "utf8").split("\n--> statement-breakpoint\n");

/** Makes the released schema lack a column and an index of the jobs' table. */
function forget(engine: "sqlite" | "postgres", table: string): void {
  const { snapshot } = filesOf(engine, folder);
  const released = JSON.parse(readFileSync(snapshot, "utf8"));
  delete released.tables[table].columns.last_error;
  delete released.tables[table].indexes.jobs_key;
  writeFileSync(snapshot, JSON.stringify(released));
}

it.each(engines)("writes the same initial migration of %s each time, in place of all others", async (engine) => {
  const read = () => readdirSync(filesOf(engine, folder).folder, { recursive: true, encoding: "utf8" }).sort();
  await writeInitial(engine, folder);
  const before = [journalOf(engine), readFileSync(filesOf(engine, folder).sql("0000_initial"), "utf8")];
  writeFileSync(filesOf(engine, folder).sql("0001_left"), "");
  await writeInitial(engine, folder);
  expect([journalOf(engine), readFileSync(filesOf(engine, folder).sql("0000_initial"), "utf8")]).toEqual(before);
  expect(read()).toEqual(["0000_initial.sql", "meta", "meta/_journal.json"]);
  // Before the time of any later migration, which its number is.
  expect(journalOf(engine)[0].when).toBeLessThan(Date.UTC(2005, 0));
});

describe("once a version is released", () => {
  beforeEach(async () => {
    for (const engine of engines) {
      await writeInitial(engine, folder);
      await writeSnapshot(engine, folder);
    }
  });

  it.each(engines)("an unchanged schema of %s needs no migration", async (engine) => {
    expect(await changesSinceRelease(engine, folder)).toEqual([]);
  });

  it("a change of PostgreSQL's schema becomes a migration that blocks nobody", async () => {
    forget("postgres", "public.jobs");
    await addMigration("postgres", "more", folder);
    expect(added("postgres")).toEqual([
      'ALTER TABLE "jobs" ADD COLUMN "last_error" text COLLATE "C";',
      'CREATE UNIQUE INDEX CONCURRENTLY "jobs_key" ON "jobs" USING btree ("key");\n',
    ]);
    expect(journalOf("postgres").map(({ tag }: { tag: string }) => tag)).toEqual(["0000_initial", "0001_more"]);
    expect(await changesSinceRelease("postgres", folder)).toEqual([]);
  });

  it("a change of SQLite's schema becomes a migration", async () => {
    forget("sqlite", "jobs");
    await addMigration("sqlite", "more", folder);
    expect(added("sqlite")).toEqual([
      "ALTER TABLE `jobs` ADD `last_error` text;",
      "CREATE UNIQUE INDEX `jobs_key` ON `jobs` (`key`);\n",
    ]);
    expect(await changesSinceRelease("sqlite", folder)).toEqual([]);
  });
});
