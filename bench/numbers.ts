// Numbers of invoices that many writers take of one account at once: how many a second. On the engine of the environment:
// npx tsx bench/numbers.ts [writers].
import { eq } from "drizzle-orm";
import { invoices } from "@/db/tables";
import { createPayment } from "@/server/domains/payments/operations/create";
import { openWorld } from "@/test/world";

const writers = Number(process.argv[2] ?? 50);
const perWriter = 40;
const world = await openWorld();
const { member } = await world.organization();
const invoice = { type: "invoice", amount: 1_250, currency: "EUR" } as const;

async function write(): Promise<number[]> {
  const taken: number[] = [];
  for (let made = 0; made < perWriter; made++) {
    const begun = performance.now();
    await world.call(createPayment, member.actor, invoice);
    taken.push(performance.now() - begun);
  }
  return taken;
}

await write();
const begun = performance.now();
const taken = (await Promise.all(Array.from({ length: writers }, write))).flat().sort((a, b) => a - b);
const seconds = (performance.now() - begun) / 1_000;
const at = (share: number) => (taken[Math.floor((taken.length - 1) * share)] ?? 0).toFixed(0);
console.log(`${writers} writers: ${(taken.length / seconds).toFixed(0)} invoices a second`);
console.log(`one takes ${at(0.5)} ms (median), ${at(0.99)} ms (99 %)`);
const rows = await world.runtime.db.read.select().from(invoices).where(eq(invoices.accountId, member.accountId));
const sequences = rows.map(({ sequence }) => sequence).sort((a, b) => a - b);
console.log(`without gaps: ${sequences.every((sequence, before) => sequence === before + 1)} (${rows.length})`);
await world.close();
