// CPU time of the search over everything on SQLite, by the number of records: npx tsx bench/search.ts [rows].
// As many payment requests, transactions, accounts and users as given. In one process without HTTP, so that a busy
// machine affects the figures as little as possible.
import { accounts, payments, paymentWords, transactions, transactionWords, users } from "@/db/tables";
import { createPayment } from "@/server/domains/payments/operations/create";
import { findEverything } from "@/server/domains/search/operations/find";
import { indexedWordsOf, searchTextOf } from "@/server/kit/words";
import { create } from "@/test/money";
import { openWorld } from "@/test/world";

const rows = Number(process.argv[2] ?? 100_000);
const world = await openWorld();
const org = await world.organization();
const { db } = world.runtime;
const texts = { amount: 500, currency: "EUR", description: "template" };
await world.call(createPayment, org.other.actor, { type: "product", ...texts });
await create(world, org.other.actor, { type: "payment", ...texts });
const at = world.clock.now();

/** A row of each table, as a template. */
const only = <T>([row]: T[]): T => row ?? fail();
const fail = (): never => {
  throw new Error("A template is missing.");
};
const payment = only(await db.read.select().from(payments));
const transaction = only(await db.read.select().from(transactions));
const user = only(await db.read.select().from(users));
const account = only(await db.read.select().from(accounts));

const names = ["Grégoire Müller", "Ada Lovelace", "Zoë Ångström", "Grace Hopper"];
const idAt = (prefix: string, i: number) => `${prefix}_${String(i).padStart(26, "0")}`;
const emailAt = (i: number) => `customer${i}@shop${i % 500}.example`;

async function insert(from: number): Promise<void> {
  const numbers = Array.from({ length: 250 }, (_, n) => from + n);
  const customerAt = (i: number) => ({ name: names[i % 4] ?? null, email: emailAt(i), reference: null, metadata: {} });
  const wordsAt = (i: number) => indexedWordsOf(`INV-${i}`, names[i % 4], emailAt(i), `Order ${i} of March`);
  const shared = (i: number) => ({
    createdAt: at + i,
    reference: `INV-${i}`,
    description: `Order ${i} of March`,
    customer: customerAt(i),
    customerEmailKey: emailAt(i),
  });
  await db.write(async (tx) => {
    for (const i of numbers) {
      const own = { email: emailAt(i), emailKey: emailAt(i), name: names[i % 4] ?? "", createdAt: at + i };
      const found = { ...own, searchText: searchTextOf(own.name, own.email) };
      await tx
        .insert(users)
        .values({ ...user, ...found, id: idAt("usr", i), accountId: null, status: "active" as const });
      await tx.insert(accounts).values({ ...account, ...found, id: idAt("acct", i) });
      const link = { linkHash: `h${i}`, linkNonce: `n${i}` };
      await tx.insert(payments).values({ ...payment, ...shared(i), ...link, id: idAt("pay", i) });
      await tx.insert(transactions).values({ ...transaction, ...shared(i), id: idAt("txn", i), attemptKey: null });
    }
    const organizationId = org.id;
    const words = numbers.flatMap((i) => wordsAt(i).map((word) => ({ organizationId, word, i })));
    for (let n = 0; n < words.length; n += 1_000) {
      const part = words.slice(n, n + 1_000);
      await tx.insert(paymentWords).values(part.map(({ i, ...one }) => ({ ...one, paymentId: idAt("pay", i) })));
      await tx
        .insert(transactionWords)
        .values(part.map(({ i, ...one }) => ({ ...one, transactionId: idAt("txn", i) })));
    }
  });
}

async function measure(who: "admin" | "other", q: string): Promise<void> {
  const ask = () => world.call(findEverything, org[who].actor, { q });
  await ask();
  const runs = 5;
  const [before, start] = [process.cpuUsage(), performance.now()];
  for (let i = 1; i < runs; i++) await ask();
  const found = await ask();
  const took = (performance.now() - start) / runs;
  const { user: own, system } = process.cpuUsage(before);
  const counts = Object.values(found).map((one) => one.length);
  console.log(
    `${who} ${q}: ${took.toFixed(1)} ms, ${((own + system) / 1000 / runs).toFixed(1)} ms CPU, found ${counts}`,
  );
}

for (let from = 0; from < rows; from += 250) await insert(from);
for (const who of ["admin", "other"] as const) {
  await measure(who, "gregoire");
  await measure(who, "grégoire");
  await measure(who, "g");
  await measure(who, "gregoire ada");
  await measure(who, "lovelace order 7");
  await measure(who, `inv ${Math.floor(rows / 2)}`);
  await measure(who, emailAt(77));
  await measure(who, idAt("pay", 77));
  await measure(who, "nothing");
}
await world.close();
