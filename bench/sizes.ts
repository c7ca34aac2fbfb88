// node scripts/run.mjs bench/sizes.ts [payments]: how much a card payment adds to each table, by real operations.
import BetterSqlite from "better-sqlite3";
import pg from "pg";
import { sqlitePath } from "@/db/sqlite";
import { createPayment } from "@/server/domains/payments/operations/create";
import { writeSeals } from "@/server/domains/records/seals";
import { refundRequest } from "@/test/merchant";
import { payWith, tokenOf } from "@/test/payer";
import { openWorld } from "@/test/world";

const payments = Number(process.argv[2] ?? 2_000);
/** One payment in this many is refunded in full. */
const refundedOf = 20;

const world = await openWorld();
const { member } = await world.organization();

/** A payment request created with an Idempotency-Key and paid by card, as by a shop's program and its customer. */
async function payOnce(i: number): Promise<void> {
  const request = { type: "product", amount: 1250, currency: "EUR", description: "Two coffees" } as const;
  const reference = `order-${i}`;
  const payment = await world.call(
    createPayment,
    member.actor,
    { ...request, reference },
    { idempotencyKey: reference },
  );
  await payWith(world, tokenOf(payment.payment_url));
  if (i % refundedOf === 0) await refundRequest(world, member.actor, payment.payment_id);
  world.clock.advance(1_000);
  // Once a minute, as workers do.
  if (i % 60 === 0) await writeSeals(world.runtime);
}

/** Bytes of each table with its indices. */
async function sizes(): Promise<Map<string, number>> {
  const { url } = world.database;
  return new Map(await (url.startsWith("file:") ? sizesOnSqlite(sqlitePath(url)) : sizesOnPostgres(url)));
}

async function sizesOnSqlite(path: string): Promise<[string, number][]> {
  const db = new BetterSqlite(path, { readonly: true });
  const rows = db
    .prepare(
      "select s.tbl_name as name, sum(d.pgsize) as bytes from dbstat d join sqlite_schema s on s.name = d.name group by 1",
    )
    .all() as { name: string; bytes: number }[];
  db.close();
  return rows.map(({ name, bytes }) => [name, bytes]);
}

async function sizesOnPostgres(url: string): Promise<[string, number][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; bytes: string }>(
    "select relname as name, pg_total_relation_size(oid) as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  await client.end();
  return rows.map(({ name, bytes }) => [name, Number(bytes)]);
}

// The first ones fill pages that every database has.
for (let i = 0; i < 200; i++) await payOnce(-1 - i);
const before = await sizes();
for (let i = 0; i < payments; i++) await payOnce(i);
const after = await sizes();
const added = [...after].map(([table, bytes]) => ({ table, bytes: (bytes - (before.get(table) ?? 0)) / payments }));
for (const { table, bytes } of added.filter((one) => one.bytes >= 1).sort((a, b) => b.bytes - a.bytes)) {
  console.log(`${table.padEnd(24)} ${Math.round(bytes).toString().padStart(7)} bytes`);
}
const sum = added.reduce((total, { bytes }) => total + bytes, 0);
console.log(`${"all tables".padEnd(24)} ${Math.round(sum).toString().padStart(7)} bytes per paid payment request`);
await world.close();
