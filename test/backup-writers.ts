// A process that writes to a database of its own until its input ends, and notes what was acknowledged:
// node --import tsx test/backup-writers.ts <file for the ids>. Prints the database's URL once it is ready. Each line of
// its input is a number of further writes.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { writeCheckpoint } from "@/server/domains/ledger/checkpoint";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { openWorld } from "@/test/world";

const callers = 8;
const checkpointEveryMs = 250;
const pollMs = 5;

const [file = ""] = process.argv.slice(2);
const world = await openWorld();
const { admin, member } = await world.organization();
let left = 0;

/** Gives credit and transfers it, one after the other, as one of several callers. */
async function write(): Promise<never> {
  for (let amount = 1; ; amount = (amount % 100) + 1) {
    while (left <= 0) await sleep(pollMs);
    left -= 2;
    const money = { amount, currency: "EUR" };
    const credit = await world.call(createTransaction, admin.actor, { type: "credit", ...money });
    appendFileSync(file, `${credit.transaction_id}\n`);
    const to = { destination_account_id: member.accountId };
    const transfer = await world.call(createTransaction, admin.actor, { type: "transfer", ...money, ...to });
    appendFileSync(file, `${transfer.transaction_id}\n`);
  }
}

setInterval(() => void writeCheckpoint(world.runtime), checkpointEveryMs);
process.stdin.on("close", () => process.exit());
createInterface(process.stdin).on("line", (count) => {
  left = Number(count);
});
console.log(world.database.url);
await Promise.all(Array.from({ length: callers }, write));
