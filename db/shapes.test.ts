// Queries by shape: one statement per shape, the right values in it, and a bounded number of statements.
import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { type Database, openDatabase } from "./client";
import { migrateDatabase } from "./migrate";
import { preparedByShape } from "./shapes";
import { organizations } from "./tables";

interface Params {
  ids: readonly string[];
  name?: string | undefined;
  isLive: boolean;
}

let fixture: TestDatabase;
let db: Database;
let builds = 0;

const find = preparedByShape<Params, { id: string }[]>((q, { ids, name, isLive }) => {
  builds++;
  return q
    .select({ id: organizations.id })
    .from(organizations)
    .where(
      and(
        inArray(organizations.id, [...ids]),
        name && eq(organizations.name, name),
        eq(organizations.mode, isLive ? "live" : "sandbox"),
      ),
    )
    .orderBy(organizations.id);
});

const found = async (params: Params) => (await find(db.read, params)).map(({ id }) => id);

beforeAll(async () => {
  fixture = await createTestDatabase();
  await migrateDatabase(fixture.url);
  db = await openDatabase({ url: fixture.url });
  await db.write(async (tx) => {
    for (const [id, mode] of Object.entries({ org_a: "live", org_b: "sandbox", org_c: "sandbox" } as const)) {
      await tx.insert(organizations).values({ id, name: `The ${id}`, mode, createdAt: 1 });
    }
  });
});

afterAll(async () => {
  await db.close();
  await fixture.drop();
});

test("a shape is built once for all values", async () => {
  const before = builds;
  expect(await found({ ids: ["org_a", "org_b"], isLive: true })).toEqual(["org_a"]);
  expect(await found({ ids: ["org_c", "org_x"], name: undefined, isLive: true })).toEqual([]);
  expect(builds - before).toBe(1);
});

test("given fields, list lengths and flags each change the shape", async () => {
  const before = builds;
  expect(await found({ ids: ["org_b", "org_c", "org_x"], isLive: false })).toEqual(["org_b", "org_c"]);
  expect(await found({ ids: ["org_a", "org_b", "org_c"], isLive: true })).toEqual(["org_a"]);
  expect(await found({ ids: ["org_a", "org_b", "org_c"], name: "The org_c", isLive: false })).toEqual(["org_c"]);
  expect(builds - before).toBe(3);
});

test("the oldest shapes are dropped", async () => {
  const ids = (length: number) => Array.from({ length }, (_, i) => `org_${i}`);
  const before = builds;
  for (let length = 10; length < 120; length++) await found({ ids: ids(length), isLive: true });
  await found({ ids: ids(119), isLive: true });
  expect(builds - before).toBe(110);
  await found({ ids: ids(10), isLive: true });
  expect(builds - before).toBe(111);
});
