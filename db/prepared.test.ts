// Prepared queries read private fields of the query builder. They must return what the builder itself returns.
import { eq, getTableName, is, sql, Table } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { create, earn } from "@/test/money";
import { openWorld, type World } from "@/test/world";
import type { Reader, Tx } from "./client";
import { type Preparable, prepared, preparedOne, slot, slotsOf } from "./prepared";
import * as tables from "./tables";

const { accounts, events, organizations, transactions } = tables;
const all = Object.values(tables).filter((value) => is(value, Table)) as unknown as (typeof transactions)[];

let world: World;
let organizationId: string;
beforeAll(async () => {
  world = await openWorld();
  const { id, admin, member } = await world.organization();
  organizationId = id;
  await earn(world, member, 5_000);
  await create(world, admin.actor, { type: "credit", amount: 70, currency: "JPY", account_id: member.accountId });
});
afterAll(() => world.close());

let number = 0;
/** The rows of a query that reads the database: as the builder returns them, and prepared. */
async function bothWays<T>(build: (q: Reader) => Preparable<T> & PromiseLike<T>): Promise<[T, T]> {
  const { read } = world.runtime.db;
  return [await build(read), await prepared(`test.prepared_${number++}`, build)(read)];
}

test.each(all.map((table) => [getTableName(table), table] as const))("rows of %s", async (_, table) => {
  const [built, run] = await bothWays((q) => q.select().from(table).limit(20));
  expect(run).toEqual(built);
});

test("there are rows with JSON, booleans, instants and NULL", async () => {
  const [row] = await world.runtime.db.read.select().from(transactions).where(eq(transactions.type, "credit"));
  expect(row).toMatchObject({ metadata: {}, livemode: false, paymentId: null, createdAt: expect.any(Number) });
});

test("selected fields, expressions and joins", async () => {
  const [built, run] = await bothWays((q) =>
    q
      .select({
        transaction: transactions,
        name: accounts.name,
        double: sql`${transactions.amount} * 2`.mapWith(Number),
      })
      .from(transactions)
      .innerJoin(accounts, eq(accounts.id, transactions.accountId))
      .orderBy(transactions.id),
  );
  expect(built.length).toBeGreaterThan(1);
  expect(run).toEqual(built);
});

test("fields of a left join that found nothing", async () => {
  const [built, run] = await bothWays((q) =>
    q
      .select({ id: organizations.id, event: events.id, data: events.data })
      .from(organizations)
      .leftJoin(events, eq(events.objectId, organizations.id)),
  );
  expect(run).toEqual(built);
});

test("a left join that selects whole tables is refused: the builder treats their NULLs specially", () => {
  const find = prepared("test.prepared_left", (q: Reader) =>
    q.select().from(organizations).leftJoin(events, eq(events.objectId, organizations.id)),
  );
  expect(() => find(world.runtime.db.read)).toThrow("select its fields one by one");
});

test("slots are encoded by their columns, and written values are read back unchanged", async () => {
  const insert = preparedOne("test.prepared_insert", (tx: Tx) => tx.insert(events).values(slotsOf(events)).returning());
  const row = {
    id: "evt_test",
    organizationId,
    accountId: null,
    type: "test",
    objectId: "test",
    sequence: 1,
    data: { nested: [1, null, "é"] },
    createdAt: 1_700_000_000_000,
  };
  expect(await world.runtime.db.write((tx) => insert(tx, row))).toEqual(row);
  expect(await world.runtime.db.read.select().from(events).where(eq(events.id, row.id))).toEqual([row]);
});

test("a slot without a value is a fault", async () => {
  const find = preparedOne("test.prepared_missing", (q: Reader) =>
    q
      .select()
      .from(events)
      .where(eq(events.id, slot("id"))),
  );
  await expect(async () => find(world.runtime.db.read)).rejects.toThrow("The slot id has no value.");
});
