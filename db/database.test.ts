// What both engines guarantee: atomic transactions, savepoints, isolation, one order of text.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { type Database, openDatabase, type Reader, type Tx } from "./client";
import { dialect } from "./dialect";
import { DatabaseUnavailable, isUniqueViolation } from "./errors";
import { lock } from "./lock";
import { migrateDatabase } from "./migrate";
import { prepared, slot } from "./prepared";
import { preparedByShape } from "./shapes";
import { connectSqlite, sqlitePath } from "./sqlite";
import { organizations, throttles } from "./tables";

let fixture: TestDatabase;
let db: Database;

const insert = (tx: Tx, id: string, name = "x") =>
  tx.insert(organizations).values({ id, name, mode: "sandbox", createdAt: 1 });
const nameOf = async (id: string) =>
  (await db.read.select().from(organizations).where(eq(organizations.id, id)))[0]?.name;

beforeAll(async () => {
  fixture = await createTestDatabase();
  // Two processes that start at once must not both migrate.
  await Promise.all([migrateDatabase(fixture.url), migrateDatabase(fixture.url)]);
  db = await openDatabase({ url: fixture.url });
});
afterAll(async () => {
  await db.close();
  await fixture.drop();
});

describe("a transaction", () => {
  test("is rolled back as a whole when it throws, and others are not", async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) =>
        db.write(async (tx) => {
          await insert(tx, `org_${i}`);
          if (i % 3 === 0) throw new Error("no");
          return i;
        }),
      ),
    );
    expect(results.filter((result) => result.status === "rejected")).toHaveLength(34);
    expect(await db.read.$count(organizations)).toBe(66);
    expect(await nameOf("org_3")).toBeUndefined();
  });

  test("is not visible to readers before it commits", async () => {
    const other = await openDatabase({ url: fixture.url });
    const seen = () => other.read.$count(organizations, eq(organizations.id, "org_hidden"));
    await db.write(async (tx) => {
      await insert(tx, "org_hidden");
      expect(await seen()).toBe(0);
    });
    expect(await seen()).toBe(1);
    await other.close();
  });

  test("rolls back a savepoint alone", async () => {
    await db.write(async (tx) => {
      await insert(tx, "org_outer");
      await db
        .savepoint(tx, async () => {
          await insert(tx, "org_inner");
          throw new Error("no");
        })
        .catch(() => {});
      await db.savepoint(tx, () => insert(tx, "org_second"));
    });
    expect([await nameOf("org_outer"), await nameOf("org_inner"), await nameOf("org_second")]).toEqual([
      "x",
      undefined,
      "x",
    ]);
  });

  test("loses no update when many change one row", async () => {
    await db.write((tx) => insert(tx, "org_counter", "0"));
    await Promise.all(
      Array.from({ length: 50 }, () =>
        db.write(async (tx) => {
          await lock(tx, organizations, ["org_counter"]);
          const [row] = await tx.select().from(organizations).where(eq(organizations.id, "org_counter"));
          const next = String(Number(row?.name) + 1);
          await tx.update(organizations).set({ name: next }).where(eq(organizations.id, "org_counter"));
        }),
      ),
    );
    expect(await nameOf("org_counter")).toBe("50");
  });

  test("refuses a row that breaks a CHECK or a unique index", async () => {
    const twice = db.write((tx) => insert(tx, "org_outer"));
    await expect(twice).rejects.toSatisfy(isUniqueViolation);
    const wrong = db.write((tx) =>
      tx.insert(organizations).values({ id: "o", name: "x", mode: "odd" as never, createdAt: 1 }),
    );
    await expect(wrong).rejects.toThrow();
  });
});

const find = prepared("test.organization", (q: Reader) =>
  q
    .select({ name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, slot("id"))),
);

describe("inside a write transaction", () => {
  const refusal = "A write transaction is open here";
  const findByShape = preparedByShape<{ id: string }, unknown[]>((q, { id }) =>
    q.select({ name: organizations.name }).from(organizations).where(eq(organizations.id, id)),
  );

  test("a second write throws instead of waiting for the first", async () => {
    await expect(db.write(() => db.write(async () => 1))).rejects.toThrow(refusal);
  });

  test("reading through the pool throws, however the query was built", async () => {
    // Compiled before: a prepared query does not call the builder again.
    await find(db.read, { id: "org_none" });
    await findByShape(db.read, { id: "org_none" });
    const reads: (() => Promise<unknown>)[] = [
      async () => db.read.select().from(organizations),
      async () => db.read.selectDistinct({ name: organizations.name }).from(organizations),
      async () => db.read.$count(organizations),
      () => find(db.read, { id: "org_none" }),
      () => findByShape(db.read, { id: "org_none" }),
    ];
    for (const read of reads) await expect(db.write(read)).rejects.toThrow(refusal);
    for (const read of reads) await read();
  });
});

test("a prepared query serves readers and transactions alike", async () => {
  await db.write(async (tx) => {
    await insert(tx, "org_prepared", "first");
    expect(await find(tx, { id: "org_prepared" })).toEqual([{ name: "first" }]);
    expect(await find(tx, { id: "org_none" })).toEqual([]);
  });
});

test("text is ordered by bytes", async () => {
  await db.write(async (tx) => {
    for (const name of ["b", "A", "a", "Z", "é", "_"]) await insert(tx, `org_order_${name}`, "order");
  });
  const rows = await db.read
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.name, "order"))
    .orderBy(organizations.id);
  expect(rows.map((row) => row.id.slice("org_order_".length))).toEqual(["A", "Z", "_", "a", "b", "é"]);
});

test("readiness is proven by one written row, shared by concurrent pings", async () => {
  const started = await openDatabase({ url: fixture.url });
  expect(await readinessProofs()).toEqual([]);
  await Promise.all(Array.from({ length: 10 }, () => started.ping()));
  expect(await readinessProofs()).toEqual([1]);
  await started.close();
});

test("readiness needs no extra row right after a commit", async () => {
  const before = await readinessProofs();
  await db.write((tx) => insert(tx, "org_proof"));
  await db.ping();
  expect(await readinessProofs()).toEqual(before);
});

const readinessProofs = async () => (await db.read.select().from(throttles)).map(({ count }) => count);

describe(`on ${dialect}`, dialect === "sqlite" ? onSqlite : onPostgres);

function onSqlite() {
  test("a writer blocked by another process fails with a clear error and recovers", {
    timeout: 20_000,
  }, async () => {
    const other = connectSqlite(sqlitePath(fixture.url));
    other.exec("BEGIN IMMEDIATE");
    await expect(db.write((tx) => insert(tx, "org_blocked"))).rejects.toBeInstanceOf(DatabaseUnavailable);
    const probed = await openDatabase({ url: fixture.url });
    await expect(probed.ping()).rejects.toBeInstanceOf(DatabaseUnavailable);
    other.exec("ROLLBACK");
    other.close();
    await probed.ping();
    await probed.close();
    await db.write((tx) => insert(tx, "org_blocked"));
  });

  test("columns only accept values of their own type", () => {
    const connection = connectSqlite(sqlitePath(fixture.url));
    const tables = connection
      .prepare(
        "select name from pragma_table_list where schema = 'main' and strict = 0 and type = 'table' and name not like '\\_\\_%' escape '\\' and name not like 'sqlite%'",
      )
      .all();
    connection.close();
    expect(tables).toEqual([]);
  });
}

function onPostgres() {
  test("a deadlock is retried and does not fail", async () => {
    await db.write(async (tx) => {
      await insert(tx, "org_left", "0");
      await insert(tx, "org_right", "0");
    });
    const rename = (tx: Tx, id: string, name: string) =>
      tx.update(organizations).set({ name }).where(eq(organizations.id, id));
    const both = (first: string, second: string) =>
      db.write(async (tx) => {
        await rename(tx, first, first);
        await new Promise((resume) => setTimeout(resume, 100));
        await rename(tx, second, first);
      });
    await Promise.all([both("org_left", "org_right"), both("org_right", "org_left")]);
    expect(await nameOf("org_left")).toBe(await nameOf("org_right"));
  });

  test("a name is locked by one transaction at a time", async () => {
    const other = await openDatabase({ url: fixture.url });
    await db.write(async (first) => {
      expect(await db.tryLockName(first, "key")).toBe(true);
      await other.write(async (second) => expect(await other.tryLockName(second, "key")).toBe(false));
    });
    await other.close();
    await db.write(async (third) => expect(await db.tryLockName(third, "key")).toBe(true));
  });
}
