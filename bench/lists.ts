// CPU time of the worst lists and searches on SQLite, by the number of transactions: npx tsx bench/lists.ts [rows].
// In one process without HTTP, so that a busy machine affects the figures as little as possible.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { transactions, transactionWords } from "@/db/tables";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { openWorld, type TestUser } from "@/test/world";

const rows = Number(process.argv[2] ?? 200_000);
const world = await openWorld();
const org = await world.organization();
const other = await world.user(org.id);
const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key-${i}`, "x".repeat(500)]));

async function seed(): Promise<void> {
  const at = world.clock.now();
  const row = (i: number, user: TestUser, fat = false) => ({
    id: `txn_${String(i).padStart(26, "0")}`,
    organizationId: org.id,
    accountId: user.accountId,
    ...({ type: "payment", status: "succeeded", direction: "in", currency: "EUR", livemode: false } as const),
    amount: 1,
    metadata: fat ? metadata : {},
    customer: fat ? { name: null, email: null, reference: null, metadata } : null,
    effectiveAt: at,
    createdAt: at + i,
    updatedAt: at,
  });
  const words = (i: number) =>
    ["coffee", "cake", "cup", "cream", `c${i}`].map((word) => ({
      transactionId: row(i, other).id,
      organizationId: org.id,
      word,
    }));
  for (let from = 0; from < rows; from += 500) {
    await world.runtime.db.write(async (tx) => {
      const numbers = Array.from({ length: 500 }, (_, n) => from + n);
      await tx.insert(transactions).values(numbers.map((i) => row(i, i === 7 ? org.member : org.other)));
      await tx.insert(transactionWords).values(numbers.flatMap(words));
    });
  }
  for (let i = 0; i < 200; i++)
    await world.runtime.db.write((tx) => tx.insert(transactions).values(row(rows + i, other, true)));
}

async function measure(
  name: string,
  user: TestUser,
  query: Parameters<typeof world.call<typeof listTransactions.input, typeof listTransactions.output>>[2],
): Promise<void> {
  const ask = () => world.call(listTransactions, user.actor, query);
  await ask();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = process.cpuUsage();
  const page = await ask();
  const { user: own, system } = process.cpuUsage(before);
  delay.disable();
  const kib = Math.round(Buffer.byteLength(JSON.stringify(page)) / 1024);
  console.log(
    `${name}: ${((own + system) / 1000).toFixed(1)} ms CPU, event loop blocked for ${(delay.max / 1e6).toFixed(1)} ms, ${page.data.length} rows, ${kib} KiB, total ${page.total_count}`,
  );
}

await seed();
console.log(`${rows} transactions, ${rows * 5} words`);
await measure("100 fat rows", other, { limit: 100 });
await measure("20 plain rows", org.other, {});
await measure("eight common words", org.admin, { q: "c co cof coff cak cu cup cre", limit: 100 });
await measure("eight words that no transaction has together", org.admin, {
  q: "c co cof coff cak cu cup zebra",
  limit: 100,
});
await measure("common words of different transactions", org.admin, { q: "c1 c2 coffee", limit: 100 });
await measure("a common word, for a member with one transaction", org.member, { q: "c", limit: 100 });
await measure("a rare word", org.admin, { q: "c77777" });
await measure("a currency without transactions", org.admin, { currency: "JPY" });
await measure("a total", org.admin, { include_total: true });
await measure("a total of a filter", org.admin, { include_total: true, currency: "JPY" });
await world.close();
