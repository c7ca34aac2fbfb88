// A column is replaced over three releases, while each release and the one before it serve: the rule of
// docs/decisions/migrations.md as an example.
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { openMigrations, type TestMigrations } from "@/test/migrations";
import { runSql } from "@/test/statements";
import { migrateDatabase } from "./migrate";

interface Release {
  /** The statements of its migration; none if it has no migration. */
  migration: string[];
  /** The columns that it writes. */
  writes: string[];
  /** Where it reads a guest's name. */
  reads: string;
}

const first: Release = {
  migration: ["create table guests (id integer primary key, nickname text)"],
  writes: ["nickname"],
  reads: "nickname",
};

/** It writes what the first one reads, and copes with rows that the first one wrote. */
const expanding: Release = {
  migration: ["alter table guests add column label text"],
  writes: ["nickname", "label"],
  reads: "coalesce(label, nickname)",
};

/** The job of the expanding release has filled the new column, and nothing that serves uses the old one alone. */
const leaving: Release = { migration: [], writes: ["label"], reads: "label" };

const contracting: Release = {
  migration: ["-- squawk-ignore ban-drop-column\nalter table guests drop column nickname"],
  writes: ["label"],
  reads: "label",
};

let fixture: TestDatabase;
let migrations: TestMigrations;
let guests: number;
beforeEach(async () => {
  fixture = await createTestDatabase();
  migrations = openMigrations();
  guests = 0;
});
afterEach(async () => {
  migrations.remove();
  await fixture.drop();
});

const run = (sql: string) => runSql(fixture.url, sql);

/** Migrates to the last of these releases. */
async function migrateTo(...releases: Release[]): Promise<void> {
  migrations.write(...releases.map(({ migration }) => migration).filter(({ length }) => length > 0));
  await migrateDatabase(fixture.url, { folder: migrations.folder });
}

/** A process of the release, which writes guests until it is stopped. */
function serve({ writes, reads }: Release) {
  let isStopped = false;
  let count = 0;
  const writing = (async () => {
    while (!isStopped) {
      const id = ++guests;
      const values = writes.map(() => `'guest ${id}'`);
      await run(`insert into guests (id, ${writes.join(", ")}) values (${id}, ${values.join(", ")})`);
      count++;
    }
  })();
  // `more` and `stop` throw the error of a failed write.
  writing.catch(() => undefined);
  return {
    /** Resolves once it has written more guests. Rejects if it cannot. */
    async more(): Promise<void> {
      for (const end = count + 5; count < end; ) await Promise.race([writing, run("select 1")]);
    },
    async expectAll(): Promise<void> {
      const rows = await run(`select id, ${reads} as name from guests`);
      expect(rows.length).toBeGreaterThanOrEqual(count);
      for (const { id, name } of rows) expect(name).toBe(`guest ${id}`);
    },
    async stop(): Promise<void> {
      isStopped = true;
      await writing;
    },
  };
}

/** A batch of the expanding release's job. Resolves to whether there were rows left to change. */
async function backfill(): Promise<boolean> {
  const left = "select id from guests where label is null order by id limit 4";
  const { length } = await run(left);
  await run(`update guests set label = nickname where id in (${left})`);
  return length > 0;
}

test("nothing that serves fails or reads a wrong name", async () => {
  await migrateTo(first);
  let serving = serve(first);
  await serving.more();
  const steps = [expanding, leaving, contracting];
  for (const [n, release] of steps.entries()) {
    await migrateTo(first, ...steps.slice(0, n + 1));
    await serving.more();
    const next = serve(release);
    for (const one of [serving, next, serving, next]) {
      await one.more();
      await one.expectAll();
      if (release === expanding) await backfill();
    }
    await serving.stop();
    // Only now, no process writes rows of the old form, so the job comes to an end.
    while (release === expanding && (await backfill()));
    await next.expectAll();
    serving = next;
  }
  await serving.stop();
  expect(Object.keys((await run("select * from guests limit 1"))[0] ?? {}).sort()).toEqual(["id", "label"]);
});

test("a column that is replaced in one step stops those that serve", async () => {
  await migrateTo(first);
  const serving = serve(first);
  await serving.more();
  await migrateTo(first, { ...leaving, migration: ["alter table guests rename column nickname to label"] });
  await expect(serving.more()).rejects.toThrow(/nickname/);
});
