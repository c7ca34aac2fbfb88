// node scripts/run.mjs bench/prepared.ts: what a prepared query costs, run by the query builder and by db/prepared.ts.
import { eq } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { preparedOne, slot } from "@/db/prepared";
import { transactions } from "@/db/tables";
import { earn } from "@/test/money";
import { openWorld } from "@/test/world";

const rounds = 5;
const queries = 10_000;

const world = await openWorld();
const { member } = await world.organization();
const { transaction_id: id } = await earn(world, member, 5_000);
const { read } = world.runtime.db;

const query = (q: Reader) =>
  q
    .select()
    .from(transactions)
    .where(eq(transactions.id, slot("id")));
const ofBuilder = query(read).prepare("bench_builder");
const bare = preparedOne("bench_bare", query);

const ways = {
  "built for each call": () => read.select().from(transactions).where(eq(transactions.id, id)),
  "prepared, run by the builder": () => ofBuilder.execute({ id }),
  "prepared, run by db/prepared.ts": () => bare(read, { id }),
};

/** Microseconds of this process's CPU for one query. */
async function costOf(run: () => PromiseLike<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < queries; n++) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / queries;
}

const best: Record<string, number> = {};
for (let round = 0; round < rounds; round++) {
  for (const [name, run] of Object.entries(ways)) {
    const cost = await costOf(run);
    best[name] = Math.min(best[name] ?? cost, cost);
  }
}
for (const [name, cost] of Object.entries(best)) console.log(`${name}: ${cost.toFixed(1)} µs of CPU`);
await world.close();
